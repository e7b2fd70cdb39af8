import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodeValue } from '../../../src/anoncreds/encoding.ts'
import { pack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair, type KeyPair, seedOf } from '../../../src/didcomm/keys.ts'
import { BodyFile } from '../../../src/persistence/sqlite/body-file.ts'
import { newKey } from '../../../src/persistence/vault/key-crypto.ts'
import { createMasterKeyFile, newMasterKey } from '../../../src/persistence/vault/master-key-file.ts'
import { openVault } from '../../../src/persistence/vault/open-vault.ts'
import { openSqliteKeyStore } from '../../../src/persistence/vault/sqlite/sqlite-key-store.ts'
import { formsOf } from '../../../tools/scan/forms.ts'
import { embeddedDisk, foundIn, Scan } from '../../../tools/scan/scan.ts'
import { placesWith, standingIn } from '../../../tools/scan/places.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const CANARY = 'canary of a name 81'
const keyOf = ({ publicKeyBase58 }: KeyPair): string => publicKeyBase58
const canaries = new Map([['name', CANARY]])

describe('many keys that are looked for at once', () => {
  it('are those that are found one by one: as bytes, in hex and in base64, at either end and in the middle', () => {
    const keys = Array.from({ length: 400 }, () => randomBytes(60))
    const [first, second, third, last] = keys as [Buffer, Buffer, Buffer, Buffer]
    const places = [
      { name: 'bytes', bytes: Buffer.concat([first, randomBytes(5_000), second]) },
      { name: 'texts', bytes: Buffer.from(`{"${third.toString('hex')}":"${last.toString('base64')}"}`) },
      { name: 'cut', bytes: (keys[4] ?? first).subarray(1) },
      { name: 'empty', bytes: Buffer.alloc(0) },
    ]
    const expected = keys.filter((key) => placesWith(places, key).length > 0)
    expect(keys.filter((key) => standingIn(places, keys).has(key))).toEqual(expected)
    expect(expected).toHaveLength(4)
  })
})

describe('what a canary looks like', () => {
  it('is found in six encodings, in the middle of other bytes', async () => {
    const around = (text: string): Buffer => Buffer.from(`before ${text} after`)
    const escaped = Array.from(CANARY, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const places = {
      plain: around(CANARY),
      utf16: Buffer.concat([Buffer.from('odd'), Buffer.from(CANARY, 'utf16le')]),
      hex: around(Buffer.from(CANARY).toString('hex').toUpperCase()),
      base64: Buffer.from(around(CANARY).toString('base64')),
      base64url: Buffer.from(Buffer.from(`x${CANARY}y`).toString('base64url')),
      escaped: around(escaped.join('')),
      percent: around(encodeURIComponent(CANARY)),
      number: around(encodeValue(CANARY)),
    }
    const found: number[] = []
    for (const [name, bytes] of Object.entries(places))
      found.push((await foundIn([{ name, bytes }], canaries)).length)
    expect(found).toEqual(found.map(() => 1))
    expect(await foundIn([{ name: 'other', bytes: around('canary of a name 82') }], canaries)).toEqual([])
  })

  it('is found as lists keep it, without regard to case', async () => {
    const places = [{ name: 'lists', bytes: Buffer.from('before canary ä of a name after') }]
    expect(await foundIn(places, new Map([['name', 'Canary Ä of a Name']]))).toEqual([
      'name as utf-8 in lists',
    ])
  })

  it('of a long number is also looked for as bytes', async () => {
    const bytes = randomBytes(128)
    bytes[0] = 0x80
    const digits = BigInt(`0x${bytes.toString('hex')}`).toString()
    expect(await foundIn([{ name: 'bytes', bytes }], new Map([['digits', digits]]))).toEqual([
      'digits as number in bytes',
    ])
  })

  it('is long enough not to stand anywhere by chance', () => {
    expect(() => formsOf('Ada')).toThrow(RangeError)
  })
})

describe('a scan of a data folder', () => {
  const CONNECTION = 'con_00aaaaaaaa'
  const RECORD = 'cre_00aaaaaaaa'
  const CLAIM = 'idc_00aaaaaaaa'
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder('scan')
  })

  const openedVault = async () => {
    const keyFile = join(folder, 'vault.key')
    createMasterKeyFile(keyFile, newMasterKey())
    const store = await openSqliteKeyStore(join(folder, 'vault', 'keys.sqlite'))
    const vault = await openVault(store, {
      keyFile,
      mayCreateKeyFile: false,
      cacheKeysMax: 10,
      cacheLifetimeMs: 60_000,
      storeTimeoutMs: 10_000,
      storePendingMax: 10,
      monotonicMs: () => performance.now(),
    })
    await vault.makeTenant('ten_1')
    const connection = await vault.create(CONNECTION, { tenant: 'ten_1', connection: null })
    const record = await vault.create(RECORD, { tenant: 'ten_1', connection: CONNECTION })
    return { vault, connection, record }
  }

  it('opens what is sealed under a record, a connection and an organisation, wherever it stands', async () => {
    const { vault, connection, record } = await openedVault()
    const scan = new Scan(embeddedDisk(folder))
    const claim = (await vault.openTenant('ten_1')).seal(JSON.stringify({ answer: CANARY }), CLAIM)
    writeFileSync(join(folder, 'ids'), CLAIM)
    for (const [file, sealed] of Object.entries({
      record: record.seal(CANARY, 'anything'),
      connection: connection.seal(CANARY, ''),
      claim: `"${claim}"`,
      cut: record.seal(`${CANARY}${'x'.repeat(99)}`, '').slice(0, 90),
    })) {
      writeFileSync(join(folder, file), `{"s":"${sealed}`)
      const found = await scan.find(canaries)
      expect([file, found.plain]).toEqual([file, []])
      expect(found.opened.join()).toContain(join(folder, file))
    }
    await vault[Symbol.asyncDispose]()
  })

  it('opens an envelope with the key of its sender, also one that is cut, and not with other keys', async () => {
    const { vault, connection, record } = await openedVault()
    const scan = new Scan(embeddedDisk(folder))
    const [sender, wallet] = [createKeyPair(), createKeyPair()]
    const envelope = pack(
      `{"name":"${CANARY}${'x'.repeat(99)}"}`,
      [createKeyPair(), wallet].map(keyOf),
      sender,
    )
    writeFileSync(join(folder, 'body'), record.seal(envelope, ''))
    writeFileSync(join(folder, 'cut'), record.seal(envelope.slice(0, -80), ''))
    const seeds = (pair: KeyPair) => JSON.stringify({ ownSeed: seedOf(pair).toString('base64url') })
    writeFileSync(join(folder, 'connection'), connection.seal(seeds(createKeyPair()), ''))
    expect((await scan.find(canaries)).opened).toEqual([])
    writeFileSync(join(folder, 'connection'), connection.seal(seeds(sender), ''))
    const { plain, opened } = await scan.find(canaries)
    expect(plain).toEqual([])
    for (const file of ['body', 'cut'])
      expect(opened.some((hit) => hit.includes(`${join(folder, file)}, `) && hit.includes('envelope'))).toBe(
        true,
      )
    await vault.erase(RECORD)
    await vault.cleaned()
    expect(await scan.find(canaries)).toEqual({ plain: [], opened: [] })
    await vault[Symbol.asyncDispose]()
  })

  it('does not open what is erased, unless the wrapped key still stands somewhere', async () => {
    const { vault, record } = await openedVault()
    const scan = new Scan(embeddedDisk(folder))
    await scan.rememberKeys()
    writeFileSync(join(folder, 'sealed'), record.seal(CANARY, ''))
    const disk = embeddedDisk(folder)
    const wrapped = (await disk.readKeys()).records.find((row) => row.record === RECORD)?.wrapped
    expect((await scan.find(canaries)).opened).toHaveLength(1)
    await vault.erase(RECORD)
    await vault.cleaned()
    expect((await scan.find(canaries)).opened).toEqual([])
    writeFileSync(join(folder, 'forgotten'), wrapped?.toString('hex') ?? '')
    expect((await scan.find(canaries)).opened).toHaveLength(1)
    await vault[Symbol.asyncDispose]()
  })

  it.each([4_096, 16_384])(
    'follows long values over pages of %i bytes, also deleted ones and in the log',
    async (page) => {
      const { vault, record } = await openedVault()
      const database = new BetterSqlite3(join(folder, 'journal.sqlite'))
      database.pragma(`page_size = ${page}`)
      database.pragma('journal_mode = WAL')
      database.pragma('wal_autocheckpoint = 0')
      database.exec('CREATE TABLE bodies (id INTEGER PRIMARY KEY, body TEXT)')
      const put = database.prepare('INSERT INTO bodies (body) VALUES (?)')
      const scan = new Scan(embeddedDisk(folder))
      // One at each place, so that some stand over the end of a page.
      const step = Math.ceil(page / 40)
      for (let before = 0; before < page; before += step)
        put.run(`${'-'.repeat(page + before)}${CANARY}${'-'.repeat(50)}`)
      for (let before = 0; before < page; before += step)
        put.run(`${'-'.repeat(page + before)}"s":"${record.seal('.'.repeat(3 * page) + CANARY, '')}"`)
      const places = async () => {
        const { plain, opened } = await scan.find(canaries)
        return [plain.length > 0, opened.length]
      }
      const [, inLog] = await places()
      expect(inLog).toBeGreaterThan(0)
      database.pragma('wal_checkpoint(TRUNCATE)')
      expect(await places()).toEqual([true, expect.any(Number)])
      database.exec('DELETE FROM bodies')
      database.pragma('wal_checkpoint(TRUNCATE)')
      expect((await places())[0]).toBe(true)
      database.pragma('secure_delete = ON')
      database.exec('VACUUM')
      database.pragma('wal_checkpoint(TRUNCATE)')
      expect(await places()).toEqual([false, 0])
      database.close()
      await vault[Symbol.asyncDispose]()
    },
  )

  it('reads to the end of a body that stands in several cells of its file', async () => {
    const { vault, record } = await openedVault()
    const bodies = BodyFile.open(join(folder, 'bodies'))
    const scan = new Scan(embeddedDisk(folder))
    for (const before of [100, 3_000, 3_500, 12_000]) {
      bodies.put(`${RECORD}/1`, record.seal(`${'-'.repeat(before)}${CANARY}`, ''), Date.now() + 60_000)
      expect([before, (await scan.find(canaries)).opened.length > 0]).toEqual([before, true])
    }
    bodies.delete(`${RECORD}/1`)
    expect(await scan.find(canaries)).toEqual({ plain: [], opened: [] })
    bodies[Symbol.dispose]()
    await vault[Symbol.asyncDispose]()
  })

  it('reads no more than there is', async () => {
    const { vault } = await openedVault()
    writeFileSync(join(folder, 'noise'), newKey())
    expect(await new Scan(embeddedDisk(folder)).find(canaries)).toEqual({ plain: [], opened: [] })
    await vault[Symbol.asyncDispose]()
  })
})
