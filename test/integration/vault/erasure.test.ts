import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { sqliteKeyStoreMemory } from '../../../src/persistence/sqlite/key-store-memory.ts'
import { openSqliteStore, type SqliteJournalStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { openConfiguredVault, openKeyStore, openVault } from '../../../src/persistence/vault/open-vault.ts'
import type { Vault } from '../../../src/ports/vault.ts'
import { FaultyKeyStore } from '../../contract/vault/parts/faulty-key-store.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { asRows } from '../../persistence/vault/parts/as-rows.ts'
import { filesWithBytes, filesWithText } from '../../../tools/scan/places.ts'
import { canary, newId, PassportOffice } from './parts/passport-office.ts'

describe('erasure on the embedded engine', () => {
  let folder: string
  let journal: SqliteJournalStore
  let vault: Vault
  let office: PassportOffice

  const config = (dataFolder: string) => loadConfig({ VOUCHSAFE_DATA_FOLDER: dataFolder })
  const monotonicMs = () => performance.now()

  const openConfigured = (dataFolder: string): Promise<Vault> =>
    openConfiguredVault(
      config(dataFolder),
      { cassandra: null, keyStore: sqliteKeyStoreMemory(journal) },
      monotonicMs,
    )

  const start = async (dataFolder: string, opened?: Vault): Promise<void> => {
    journal = await openSqliteStore(dataFolder)
    vault = opened ?? (await openConfigured(dataFolder))
    office = await PassportOffice.open(journal, vault)
  }
  const stop = async (): Promise<void> => {
    await office.close()
    await vault[Symbol.asyncDispose]()
    await journal[Symbol.asyncDispose]()
  }

  beforeEach(async () => {
    folder = temporaryFolder('erasure')
    await start(join(folder, 'data'))
  })
  afterEach(async () => {
    await stop()
  })

  const wrappedKeysOf = async (record: string): Promise<readonly Buffer[]> => {
    const keys = await openKeyStore(config(join(folder, 'data')), null, false)
    const rows = asRows(await keys.readKeys(record))
    await keys[Symbol.asyncDispose]()
    return rows.map(({ wrapped }) => wrapped)
  }

  const issue = async (holder: string | null = null) => {
    const actor = newId('pas')
    const personal = { name: canary('name'), number: canary('number') }
    await office.ask(actor, { type: 'Issue', tenant: 'ten_1', holder, ...personal })
    const notes = [1, 2, 3, 4].map((index) => canary(`note${index}`))
    for (const note of notes) await office.ask(actor, { type: 'Note', note })
    return { actor, personal, notes, canaries: [personal.name, personal.number, ...notes] }
  }

  it('leaves no value and no key anywhere in the data folder, once the log of the key store is clean', async () => {
    const [victim, neighbour] = [await issue(), await issue()]
    expect(await office.ask(victim.actor, { type: 'Read' })).toMatchObject(victim.personal)
    const wrapped = await wrappedKeysOf(victim.actor)
    expect(wrapped).toHaveLength(1)
    for (const key of wrapped) expect(filesWithBytes(folder, key)).not.toEqual([])

    const erased = await office.ask(victim.actor, { type: 'Erase' })
    await vault.cleaned()
    for (const key of wrapped) expect(filesWithBytes(folder, key)).toEqual([])
    for (const value of victim.canaries) expect(filesWithText(folder, value)).toEqual([])
    expect(erased).toMatchObject({ status: 'erased', name: null, number: null, lastNote: null, notes: 4 })

    await stop()
    for (const key of wrapped) expect(filesWithBytes(folder, key)).toEqual([])
    await start(join(folder, 'data'))
    expect(await office.ask(victim.actor, { type: 'Read' })).toMatchObject({ status: 'erased', name: null })
    expect(await office.ask(neighbour.actor, { type: 'Read' })).toMatchObject(neighbour.personal)
    const seal = await vault.open(victim.actor)
    for (const text of await sealedTextsOf(journal, victim.actor)) expect(seal.open(text, '')).toBeNull()
    expect(office.faults).toEqual([])
  })

  it('takes with a connection all that hangs below it', async () => {
    const holder = newId('hol')
    const label = canary('label')
    await office.ask(holder, { type: 'Issue', tenant: 'ten_1', holder: null, name: label, number: label })
    const below = await issue(holder)
    const wrapped = await wrappedKeysOf(holder)
    await office.ask(holder, { type: 'Erase' })
    await vault.cleaned()
    for (const key of wrapped) expect(filesWithBytes(folder, key)).toEqual([])
    // It is in memory, and goes on.
    const gone = { status: 'issued', name: null, number: null, lastNote: null, notes: 4 }
    expect(await office.read(below.actor)).toMatchObject(gone)
    expect(await office.ask(below.actor, { type: 'Read' })).toMatchObject(gone)
    await expect(office.ask(below.actor, { type: 'Note', note: canary('late') })).rejects.toThrow(
      'was erased',
    )
    expect(await office.ask(below.actor, { type: 'Erase' })).toMatchObject({ status: 'erased', notes: 4 })
    expect(office.faults).toEqual([])
    await stop()
    await start(join(folder, 'data'))
    expect(await office.ask(below.actor, { type: 'Read' })).toMatchObject({
      status: 'erased',
      name: null,
      number: null,
      lastNote: null,
    })
    for (const value of [label, ...below.canaries]) expect(filesWithText(folder, value)).toEqual([])
  })

  it('holds also against a backup of the data made before it', async () => {
    const [victim, neighbour] = [await issue(), await issue()]
    await stop()
    const backup = join(folder, 'backup')
    cpSync(join(folder, 'data'), backup, {
      recursive: true,
      filter: (source) => !source.endsWith('/vault') && !source.endsWith('vault.key'),
    })
    expect(filesWithText(backup, victim.actor)).not.toEqual([])
    expect(existsSync(join(backup, 'vault'))).toBe(false)
    await start(join(folder, 'data'))
    await office.ask(victim.actor, { type: 'Erase' })
    await stop()

    for (const value of victim.canaries) expect(filesWithText(backup, value)).toEqual([])
    cpSync(join(folder, 'data', 'vault'), join(backup, 'vault'), { recursive: true })
    cpSync(join(folder, 'data', 'vault.key'), join(backup, 'vault.key'))
    await start(backup)
    expect(await office.ask(victim.actor, { type: 'Read' })).toMatchObject({
      status: 'issued',
      name: null,
      number: null,
      lastNote: null,
      notes: 4,
    })
    expect(await office.ask(neighbour.actor, { type: 'Read' })).toMatchObject(neighbour.personal)
  })

  it('is finished by the next start when it was cut off between its commit and the deletion of the key', async () => {
    const victim = await issue()
    await office.close()
    await vault[Symbol.asyncDispose]()
    const real = await openKeyStore(config(join(folder, 'data')), null, false)
    const faulty = new FaultyKeyStore(real)
    faulty.plan('eraseKeys', 'hang')
    vault = await openVault(faulty.store, {
      keyFile: join(folder, 'data', 'vault.key'),
      mayCreateKeyFile: false,
      cacheKeysMax: 100,
      cacheLifetimeMs: 60_000,
      storeTimeoutMs: 60_000,
      storePendingMax: 100,
      monotonicMs,
    })
    office = await PassportOffice.open(journal, vault)
    const unanswered = office.ask(victim.actor, { type: 'Erase' }).catch(() => 'cut off')
    await expect.poll(() => faulty.pending).toBe(0)
    await office.close()
    expect(await unanswered).toBe('cut off')
    expect(await real.readKeys(victim.actor)).toHaveLength(1)
    await real[Symbol.asyncDispose]()

    vault = await openConfigured(join(folder, 'data'))
    office = await PassportOffice.open(journal, vault)
    await expect.poll(() => wrappedKeysOf(victim.actor), { timeout: 60_000 }).toEqual([])
    expect(await office.ask(victim.actor, { type: 'Read' })).toMatchObject({ status: 'erased', name: null })
  })

  it('keeps its keys in files that a backup of the data leaves out', async () => {
    const { actor } = await issue()
    const data = join(folder, 'data')
    expect(existsSync(join(data, 'vault', 'keys.sqlite'))).toBe(true)
    for (const key of await wrappedKeysOf(actor)) {
      const places = filesWithBytes(folder, key)
      expect(places.every((file) => file.startsWith(join(data, 'vault')))).toBe(true)
    }
  })
})

const sealedTextsOf = async (store: SqliteJournalStore, actor: string): Promise<readonly string[]> => {
  const events = await store.readEvents(actor, 0)
  const sealed = events.flatMap(({ data }) => {
    const { s } = JSON.parse(data) as { s?: string }
    return s === undefined ? [] : [s]
  })
  expect(sealed.length).toBeGreaterThan(0)
  return sealed
}
