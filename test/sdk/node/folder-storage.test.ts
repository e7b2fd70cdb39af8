import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { folderStorage } from '../../../sdk/node/folder-storage.ts'
import { keyFiles } from '../../../sdk/node/key-files.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let folder: string
const file = (): string => join(folder, 'wallet.sqlite')
const open = (): Promise<RowStore> => RowStore.open(folderStorage(folder), keyFiles, sodiumCryptography)
const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'opened',
    ({ kind, code }: { kind: string; code: string }) => `${kind} ${code}`,
  )

/** A wallet of some pages. */
const filled = async (): Promise<void> => {
  const rows = await open()
  await rows.step(async () => {
    for (let number = 0; number < 100; number++) rows.put('thing', String(number), 'x'.repeat(500))
  })
  await rows.close()
}

/** A process that has the wallet open, has done this with it, and goes on until it is killed. */
const otherProcess = async (work: string) => {
  const program = `
    import { RowStore } from ${JSON.stringify(moduleAt('core/rows/row-store.ts'))}
    import { folderStorage } from ${JSON.stringify(moduleAt('node/folder-storage.ts'))}
    import { keyFiles } from ${JSON.stringify(moduleAt('node/key-files.ts'))}
    import { sodiumCryptography } from ${JSON.stringify(moduleAt('node/sodium-cryptography.ts'))}
    const rows = await RowStore.open(folderStorage(${JSON.stringify(folder)}), keyFiles, sodiumCryptography)
    ${work}
    process.stdout.write('done')
    setInterval(() => undefined, 1_000)`
  const started = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(started, 'exit')
  onTestFinished(() => void started.kill('SIGKILL'))
  await Promise.race([once(started.stdout, 'data'), ended])
  expect(started.exitCode).toBe(null)
  return {
    kill: async (): Promise<void> => {
      started.kill('SIGKILL')
      await ended
    },
  }
}

const moduleAt = (path: string): string => new URL(`../../../sdk/${path}`, import.meta.url).href

beforeEach(() => {
  folder = temporaryFolder('vouchsafe-folder')
})

describe('a wallet in a folder', () => {
  it('is there after it was closed, with a key for its owner alone', async () => {
    await filled()
    const rows = await open()
    expect(rows.allStored('thing').size).toBe(100)
    await rows.close()
    expect(statSync(join(folder, 'wallet.key')).mode & 0o777).toBe(0o600)
  })

  it('is opened by one at a time, a new one and one that there was', async () => {
    for (const round of ['new', 'old']) {
      const rows = await open()
      expect([round, await kindOf(open())]).toEqual([round, 'Internal storage_in_use'])
      await rows.step(async () => rows.put('thing', round, 'x'))
      await rows.close()
    }
    expect((await open()).allStored('thing').size).toBe(2)
  })

  it('is not erased while it is open, also in another process', async () => {
    await filled()
    const rows = await open()
    expect(await kindOf(folderStorage(folder).erase())).toBe('Internal storage_in_use')
    await rows.close()
    const holder = await otherProcess('await rows.step(async () => rows.put("thing", "more", "x"))')
    expect(await kindOf(open())).toBe('Internal storage_in_use')
    expect(await kindOf(folderStorage(folder).erase())).toBe('Internal storage_in_use')
    await holder.kill()
    const again = await open()
    expect(again.allStored('thing').size).toBe(101)
    await again.close()
  })

  it('that cannot be opened is not called damaged', async () => {
    mkdirSync(file())
    expect(await kindOf(open())).toBe('Internal storage_unavailable')
  })

  it('keeps what a killed process had written, and does not let go of the log when the database is cut off', async () => {
    const killed = await otherProcess(
      'for (let each = 0; each < 50; each++) await rows.step(async () => rows.put("thing", String(each), "x".repeat(900)))',
    )
    await killed.kill()
    const [whole, log] = [readFileSync(file()), readFileSync(`${file()}-wal`)]
    expect(log.length).toBeGreaterThan(50_000)
    truncateSync(file(), 0)
    expect(await kindOf(open())).toBe('Internal storage_damaged')
    rmSync(file())
    expect(await kindOf(open())).toBe('Internal storage_damaged')
    expect(readFileSync(`${file()}-wal`).equals(log)).toBe(true)
    writeFileSync(file(), whole)
    const rows = await open()
    expect(rows.allStored('thing').size).toBe(50)
    await rows.close()
  })

  it('that was cut off is refused, and stays as it is', async () => {
    await filled()
    const whole = readFileSync(file())
    for (const part of [0.9, 0.5, 0.1, 0]) {
      writeFileSync(file(), whole)
      truncateSync(file(), Math.floor(whole.length * part))
      const cut = readFileSync(file())
      expect(await kindOf(open())).toBe(
        part === 0 ? 'WalletKeyLost storage_lost' : 'Internal storage_damaged',
      )
      if (part > 0) expect(readFileSync(file())).toEqual(cut)
    }
    writeFileSync(file(), whole)
    const rows = await open()
    expect(rows.allStored('thing').size).toBe(100)
    await rows.close()
  })

  it('that is no database is refused, and stays as it is', async () => {
    await filled()
    writeFileSync(file(), 'something else altogether, and long enough to be looked at'.repeat(50))
    const other = readFileSync(file())
    expect(await kindOf(open())).toBe('Internal storage_damaged')
    expect(readFileSync(file())).toEqual(other)
  })

  it('is gone when it was erased, and a new one can be made', async () => {
    await filled()
    const storage = folderStorage(folder)
    await storage.erase()
    expect(await kindOf(open())).toBe('WalletKeyLost storage_lost')
    await storage.erase()
    writeFileSync(join(folder, 'wallet.key.next'), 'a key whose writing was cut off')
    await keyFiles.remove(storage.name)
    expect(readdirSync(folder)).toEqual([])
    const rows = await open()
    expect(rows.allStored('thing').size).toBe(0)
    await rows.close()
  })
})

describe('the wallet that there was before the SDK', () => {
  it('is taken over with its records and keys, and sealed', async () => {
    const database = new Database(file())
    database.exec(`CREATE TABLE records (type TEXT, id TEXT, value TEXT, tags TEXT, PRIMARY KEY (type, id)) WITHOUT ROWID;
      CREATE TABLE record_tags (type TEXT, name TEXT, value TEXT, id TEXT);
      CREATE TABLE keys (id TEXT PRIMARY KEY, public BLOB, secret BLOB) WITHOUT ROWID`)
    database
      .prepare('INSERT INTO records VALUES (?, ?, ?, ?)')
      .run('W3cCredentialRecord', 'c1', '{"secret":"Ada Lovelace"}', '{"issuerId":"did:x"}')
    database.prepare('INSERT INTO keys VALUES (?, ?, ?)').run('k1', Buffer.from([1, 2]), Buffer.from([3, 4]))
    database.close()
    const rows = await open()
    expect(JSON.parse(rows.stored('credo:W3cCredentialRecord', 'c1') ?? '')).toEqual({
      value: '{"secret":"Ada Lovelace"}',
      tags: { issuerId: 'did:x' },
    })
    expect(JSON.parse(rows.stored('key', 'k1') ?? '')).toEqual({ public: 'AQI', secret: 'AwQ' })
    await rows.close()
    await (await open()).close()
    expect(readFileSync(file()).includes('Ada Lovelace')).toBe(false)
  })
})
