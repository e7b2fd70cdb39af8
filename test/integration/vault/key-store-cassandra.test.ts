import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { migrateCassandra } from '../../../src/persistence/cassandra/migrate.ts'
import { cassandraSettings, engineSettings } from '../../../src/persistence/engine-settings.ts'
import { type Engine, openEngine } from '../../../src/persistence/open-engine.ts'
import { keySchema } from '../../../src/persistence/vault/cassandra/key-statements.ts'
import { createMasterKeyFile, newMasterKey } from '../../../src/persistence/vault/master-key-file.ts'
import { openConfiguredVault } from '../../../src/persistence/vault/open-vault.ts'
import { cassandra } from '../../engines/engines.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const REPLICATION = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
const TABLES = ['data_keys', 'tenant_keys']

/** The journal stays; the keyspace beside it is exchanged for another by the name of its keyspace. */
describe('a key store on Cassandra that is not the journal’s own', () => {
  const keyFile = join(temporaryFolder('key-store-cassandra'), 'vault.key')
  const own = `own_${randomBytes(5).toString('hex')}`
  const other = `other_${randomBytes(5).toString('hex')}`
  const older = `older_${randomBytes(5).toString('hex')}`
  let address: Awaited<ReturnType<typeof cassandra>>
  let engine: Engine
  let sealed: string

  const config = (keyspace: string) =>
    loadConfig({
      VOUCHSAFE_JOURNAL: 'cassandra',
      VOUCHSAFE_CASSANDRA_CONTACT_POINTS: address.contactPoints.join(','),
      VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: address.localDatacenter,
      VOUCHSAFE_CASSANDRA_KEYSPACE: keyspace,
      VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
      VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '60000',
      VOUCHSAFE_VAULT_TIMEOUT_MS: '60000',
      VOUCHSAFE_VAULT_KEY_FILE: keyFile,
    })
  const open = (keyspace: string, beside = engine) =>
    openConfiguredVault(config(keyspace), beside, () => performance.now())
  const client = () => {
    if (engine.cassandra === null) throw new Error('this engine has no Cassandra')
    return engine.cassandra
  }
  const rowsOf = async (keyspace: string): Promise<unknown[][]> =>
    Promise.all(
      TABLES.map(
        async (table) => (await client().execute(`SELECT JSON * FROM ${keyspace}_keys.${table}`)).rows,
      ),
    )
  /** As a snapshot of the keyspace has it. */
  const copy = async (from: string, to: string): Promise<void> => {
    for (const statement of keySchema(`${to}_keys`, REPLICATION)) await client().execute(statement)
    for (const table of TABLES) {
      const { rows } = await client().execute(`SELECT JSON * FROM ${from}_keys.${table}`)
      const timestamp = table === 'data_keys' ? 'USING TIMESTAMP 1' : ''
      for (const row of rows)
        await client().execute(
          `INSERT INTO ${to}_keys.${table} JSON ? DEFAULT UNSET ${timestamp}`,
          [row.get('[json]')],
          { prepare: true },
        )
    }
  }

  beforeAll(async () => {
    address = await cassandra()
    createMasterKeyFile(keyFile, newMasterKey())
    for (const keyspace of [own, other]) await migrateCassandra(cassandraSettings(config(keyspace).cassandra))
    engine = await openEngine(engineSettings(config(own)))
    let vault = await open(own)
    await vault.create('ten_1', { tenant: 'ten_1', connection: null })
    await vault[Symbol.asyncDispose]()
    await copy(own, older)
    vault = await open(own)
    const seal = await vault.create('cre_07late', { tenant: 'ten_1', connection: null })
    sealed = seal.seal('Alice', 'x')
    await vault[Symbol.asyncDispose]()

    const beside = await openEngine(engineSettings(config(other)))
    await (await open(other, beside))[Symbol.asyncDispose]()
    await beside[Symbol.asyncDispose]()
  })
  afterAll(async () => {
    for (const keyspace of [own, other]) await client().execute(`DROP KEYSPACE ${keyspace}`)
    for (const keyspace of [own, other, older]) await client().execute(`DROP KEYSPACE ${keyspace}_keys`)
    await engine[Symbol.asyncDispose]()
  })

  it.each([
    ['missing', () => `none_${randomBytes(5).toString('hex')}`, /^The key store none_\w+_keys is missing/],
    ['older', () => older, /^The key store older_\w+_keys is older than the journal/],
    ['another’s', () => other, /^The key store other_\w+_keys belongs to another journal/],
  ])('is refused when it is %s, and nothing is changed', async (_, keyspace, sentence) => {
    const before = [await engine.keyStore.read(), await rowsOf(own), await rowsOf(other), await rowsOf(older)]
    await expect(open(keyspace())).rejects.toThrow(sentence)
    const after = [await engine.keyStore.read(), await rowsOf(own), await rowsOf(other), await rowsOf(older)]
    expect(after).toEqual(before)
  })

  it('is there again when it is put back', async () => {
    const vault = await open(own)
    expect((await vault.open('cre_07late')).open(sealed, 'x')).toBe('Alice')
    await vault[Symbol.asyncDispose]()
  })
})
