import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
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
    mkdirSync(join(folder, 'sandbox-ledger', 'node'), { recursive: true })
    const deep = careless(join(folder, 'sandbox-ledger', 'node', 'secret'))
    const elsewhere = careless(join(folder, '..', 'elsewhere'))
    symlinkSync(elsewhere, join(folder, 'link'))
    symlinkSync(join(folder, '..'), join(folder, 'linked-folder'))
    const left: unknown[] = []
    prepareDataFolder(folder, keyFile, (each) => left.push(each))
    expect([wide, keys, kept, keyFile].map(modeOf)).toEqual([0o600, 0o600, 0o400, 0o644])
    expect([deep, elsewhere].map(modeOf)).toEqual([0o600, 0o644])
    expect(left).toEqual([])
  })

  it('may have files of another user, which are reported', () => {
    // Root alone can give files away.
    if (process.getuid?.() !== 0) return
    const folder = join(temporaryFolder('foreign'), 'data')
    mkdirSync(folder)
    const foreign = careless(join(folder, 'foreign'))
    const own = careless(join(folder, 'own'))
    const closed = join(folder, 'lost+found')
    mkdirSync(closed, { mode: 0o700 })
    for (const each of [folder, own]) chownSync(each, 65_534, 65_534)
    chmodSync(join(folder, '..'), 0o755)
    const left: string[] = []
    process.seteuid?.(65_534)
    try {
      prepareDataFolder(folder, join(folder, 'vault.key'), ({ file }) => left.push(file))
    } finally {
      process.seteuid?.(0)
    }
    expect(left.toSorted()).toEqual([foreign, closed])
    expect([foreign, own].map(modeOf)).toEqual([0o644, 0o600])
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
