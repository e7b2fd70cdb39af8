import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KeptObjects } from '../../src/ledger/kept-objects.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('objects that were found on the ledger', () => {
  it('outlive the process, for each network by itself', async () => {
    const folder = temporaryFolder('kept-objects')
    await new KeptObjects(folder, 'one').of('schema').put('a', { name: 'a' })
    expect(await new KeptObjects(folder, 'one').of('schema').get('a')).toEqual({ name: 'a' })
    expect(await new KeptObjects(folder, 'one').of('definition').get('a')).toBeNull()
    expect(await new KeptObjects(folder, 'two').of('schema').get('a')).toBeNull()
  })

  it('are none where the file is not whole', async () => {
    const folder = temporaryFolder('kept-objects')
    const kept = new KeptObjects(folder, 'one').of('schema')
    await kept.put('a', { name: 'a' })
    const [name = ''] = readdirSync(join(folder, 'one'))
    writeFileSync(join(folder, 'one', name), '{"id":"a","val')
    expect(await kept.get('a')).toBeNull()
  })
})
