import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareDataFolder } from '../src/data-folder.ts'
import { ServiceProcess } from './service-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

const modeOf = (file: string): number => statSync(file).mode & 0o777

/** A file with this mode, as a careless copy leaves it. */
const careless = (file: string, mode = 0o644): string => {
  writeFileSync(file, 'x')
  chmodSync(file, mode)
  return file
}

describe('the data folder', () => {
  it('is closed to other users, but for a key file that they may have read', () => {
    const folder = join(temporaryFolder('careless'), 'data')
    mkdirSync(join(folder, 'vault'), { recursive: true })
    const [wide, keys] = [
      careless(join(folder, 'journal.db')),
      careless(join(folder, 'vault', 'keys.sqlite')),
    ]
    const [kept, keyFile] = [careless(join(folder, 'kept'), 0o400), careless(join(folder, 'vault.key'))]
    prepareDataFolder(folder, keyFile)
    expect([wide, keys, kept, keyFile].map(modeOf)).toEqual([0o600, 0o600, 0o400, 0o644])
  })

  it('has files of mode 600 alone while the service runs, whatever the umask and the mode of the folder', async () => {
    const before = process.umask(0)
    const folder = temporaryFolder('open-folder')
    chmodSync(folder, 0o755)
    const service = new ServiceProcess({ VOUCHSAFE_DATA_FOLDER: folder })
    process.umask(before)
    try {
      await service.untilListening()
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name))
        .filter((file) => statSync(file).isFile())
      expect(files.length).toBeGreaterThan(5)
      expect(files.filter((file) => modeOf(file) !== 0o600)).toEqual([])
    } finally {
      await service.stop()
    }
  })
})
