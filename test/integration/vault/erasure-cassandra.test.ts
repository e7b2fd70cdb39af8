import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Vault } from '../../../src/ports/vault.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { cassandraKeyStoreMemory } from '../../../src/persistence/cassandra/key-store-memory.ts'
import { CassandraJournalStore } from '../../../src/persistence/cassandra/journal-store.ts'
import { keyspaceOfKeys, migrateCassandra } from '../../../src/persistence/cassandra/migrate.ts'
import { cassandraSettings } from '../../../src/persistence/engine-settings.ts'
import { openConfiguredVault, openKeyStore } from '../../../src/persistence/vault/open-vault.ts'
import { createMasterKeyFile, newMasterKey } from '../../../src/persistence/vault/master-key-file.ts'
import { type Cassandra, startCassandra } from '../../../tools/infra/cassandra.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { asRows } from '../../persistence/vault/parts/as-rows.ts'
import { LOG_SEGMENT_MEGABYTES, rollCommitLog, storeUncompressed } from '../../../tools/scan/cassandra.ts'
import { filesWithBytes, filesWithText } from '../../../tools/scan/places.ts'
import { canary, newId, PassportOffice } from './parts/passport-office.ts'

describe('erasure on Cassandra', () => {
  const folder = temporaryFolder('erasure-cassandra')
  const keyFile = join(folder, 'vault.key')
  let cassandra: Cassandra
  let journal: CassandraJournalStore
  let vault: Vault
  let office: PassportOffice

  const config = () =>
    loadConfig({
      VOUCHSAFE_JOURNAL: 'cassandra',
      VOUCHSAFE_CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
      VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
      VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '60000',
      VOUCHSAFE_VAULT_TIMEOUT_MS: '60000',
      VOUCHSAFE_VAULT_KEY_FILE: keyFile,
    })

  beforeAll(async () => {
    createMasterKeyFile(keyFile, newMasterKey())
    cassandra = await startCassandra({
      dataDir: join(folder, 'cassandra'),
      logSegmentMegabytes: LOG_SEGMENT_MEGABYTES,
    })
    const settings = cassandraSettings(config().cassandra)
    await migrateCassandra(settings)
    journal = await CassandraJournalStore.open(settings)
    for (const keyspace of [config().cassandra.keyspace, keys()])
      await storeUncompressed(journal.session.client, keyspace)
    const beside = {
      cassandra: journal.session.client,
      keyStore: cassandraKeyStoreMemory(journal.session),
    }
    vault = await openConfiguredVault(config(), beside, () => performance.now())
    office = await PassportOffice.open(journal, vault)
  })
  afterAll(async () => {
    await office.close()
    await vault[Symbol.asyncDispose]()
    await journal[Symbol.asyncDispose]()
    await cassandra.stop()
  })

  const client = () => journal.session.client
  const keys = () => keyspaceOfKeys(config().cassandra.keyspace)
  const nodetool = async (...words: string[]): Promise<void> => {
    for (const node of cassandra.nodes) await node.nodetool(...words)
  }
  const stored = (node = cassandra.nodes[0]): string => node?.settings.folder ?? ''

  const issue = async () => {
    const actor = newId('pas')
    const personal = { name: canary('name'), number: canary('number') }
    await office.ask(actor, { type: 'Issue', tenant: 'ten_1', holder: null, ...personal })
    const notes = [1, 2, 3, 4].map((index) => canary(`note${index}`))
    for (const note of notes) await office.ask(actor, { type: 'Note', note })
    return { actor, personal, canaries: [personal.name, personal.number, ...notes] }
  }

  it('leaves no value, and after the documented compaction no key, in any file of Cassandra', async () => {
    const [victim, neighbour] = [await issue(), await issue()]
    const store = await openKeyStore(config(), client(), false)
    const [row] = asRows(await store.readKeys(victim.actor))
    const [kept] = asRows(await store.readKeys(neighbour.actor))
    const [wrapped, keptWrapped] = [row?.wrapped ?? Buffer.alloc(0), kept?.wrapped ?? Buffer.alloc(0)]
    await nodetool('flush')
    for (const bytes of [wrapped, keptWrapped]) {
      expect(filesWithBytes(join(stored(), 'data'), bytes)).not.toEqual([])
    }
    for (const value of victim.canaries) expect(filesWithText(stored(), value)).toEqual([])

    expect(await office.ask(victim.actor, { type: 'Erase' })).toMatchObject({ status: 'erased', name: null })
    expect(await store.readKeys(victim.actor)).toBe('erased')
    await rollCommitLog(client(), cassandra, keys())
    await nodetool('flush')
    await nodetool('garbagecollect', keys())
    // Cassandra lets go of what it no longer needs, tables and segments of its log, a little later.
    await expect.poll(() => filesWithBytes(stored(), wrapped), { timeout: 60_000 }).toEqual([])
    expect(filesWithBytes(join(stored(), 'data'), keptWrapped)).not.toEqual([])
    for (const value of victim.canaries) expect(filesWithText(stored(), value)).toEqual([])
    expect(await office.ask(neighbour.actor, { type: 'Read' })).toMatchObject(neighbour.personal)
    expect(await store.readKeys(victim.actor)).toBe('erased')
    expect(office.faults).toEqual([])
  })

  it('leaves no key of an organisation that is deleted in any file after the documented clean-up', async () => {
    const tenant = newId('ten')
    await vault.makeTenant(tenant)
    const store = await openKeyStore(config(), client(), false)
    const wrapped = (await store.readTenantKey(tenant))?.wrapped ?? Buffer.alloc(0)
    await nodetool('flush')
    const places = () => filesWithBytes(stored(), wrapped).map((file) => file.replace(stored(), ''))
    const before = places()
    expect(before).not.toEqual([])
    await vault.eraseTenant(tenant)
    await rollCommitLog(client(), cassandra, keys())
    await nodetool('flush')
    await nodetool('garbagecollect', keys())
    await expect.poll(places, { timeout: 30_000 }).toEqual([])
  })
})
