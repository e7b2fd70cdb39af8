import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileMasterKeys } from '../../../src/persistence/vault/file-master-keys.ts'
import { newKey } from '../../../src/persistence/vault/key-crypto.ts'
import {
  createMasterKeyFile,
  newMasterKey,
  replaceMasterKeyFile,
} from '../../../src/persistence/vault/master-key-file.ts'
import { MasterKeyMissing } from '../../../src/persistence/vault/master-key-port.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

describe('master keys of a file', () => {
  const folder = temporaryFolder('master-keys')
  const file = join(folder, 'vault.key')

  it('wrap and unwrap by name, and read the file again when told to', async () => {
    const [old, next] = [newMasterKey(), newMasterKey()]
    createMasterKeyFile(file, old)
    const masters = new FileMasterKeys(file)
    const root = newKey()
    const wrapped = await masters.wrap(old.id, root, 'tenant a')
    expect(await masters.unwrap(old.id, wrapped, 'tenant a')).toEqual(root)
    await expect(masters.unwrap(old.id, wrapped, 'tenant b')).rejects.toThrow('damaged')
    await expect(masters.wrap(next.id, root, 'tenant a')).rejects.toThrow(MasterKeyMissing)

    replaceMasterKeyFile(file, [old, next])
    await masters.refresh()
    expect(await masters.ids()).toEqual([old.id, next.id])
    expect(await masters.unwrap(next.id, await masters.wrap(next.id, root, 'x'), 'x')).toEqual(root)
    expect(await masters.unwrap(old.id, wrapped, 'tenant a')).toEqual(root)
  })

  it('need the file', () => {
    expect(() => new FileMasterKeys(join(folder, 'none'))).toThrow('does not exist.')
  })
})
