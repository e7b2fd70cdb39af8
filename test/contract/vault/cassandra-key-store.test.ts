import { randomBytes } from 'node:crypto'
import { Client } from 'cassandra-driver'
import { expect, it } from 'vitest'
import { WRAPPED_BYTES } from '../../../src/persistence/vault/key-crypto.ts'
import { CassandraSession } from '../../../src/persistence/cassandra/session.ts'
import { CassandraKeyStore } from '../../../src/persistence/vault/cassandra/cassandra-key-store.ts'
import { keySchema } from '../../../src/persistence/vault/cassandra/key-statements.ts'
import { cassandra } from '../../engines/engines.ts'
import { describeKeyStore } from './key-store-suite.ts'
import type { KeyStoreUnderTest } from './parts/key-store-under-test.ts'
import { describeVault } from './vault-suite.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

const REPLICATION = "{'class': 'SimpleStrategy', 'replication_factor': 1}"

const open = async (): Promise<KeyStoreUnderTest> => {
  const { contactPoints, localDatacenter } = await cassandra()
  const keyspace = `keys_${randomBytes(6).toString('hex')}`
  const connect = async (): Promise<Client> => {
    const client = new Client({
      contactPoints: [...contactPoints],
      localDataCenter: localDatacenter,
      socketOptions: { readTimeout: 60_000 },
    })
    await client.connect()
    return client
  }
  const client = await connect()
  const statements = keySchema(keyspace, REPLICATION)
  for (const statement of [...statements, ...statements]) await client.execute(statement)
  const other = await connect()
  const on = (connection: Client, consistency: 'quorum' | 'local_quorum') =>
    new CassandraKeyStore(new CassandraSession(connection, { consistency }), keyspace)
  let store = on(client, 'quorum')
  return {
    get store() {
      return store
    },
    another: async () => on(other, 'local_quorum'),
    reopen: async () => {
      store = on(client, 'quorum')
    },
    [Symbol.asyncDispose]: async () => {
      await client.execute(`DROP KEYSPACE ${keyspace}`)
      await client.shutdown()
      await other.shutdown()
    },
  }
}

describeKeyStore('Cassandra', open)
describeVault('Cassandra', open)

it('an insert that reaches Cassandra after the erasure stays without effect, whatever its clock says', async () => {
  const subject = closedAtEnd(await open())
  const key = {
    record: 'cre_07aaaaaaaaaa',
    keyId: 'abcdEFGH',
    tenant: 'ten_00aaaaaaaa',
    connection: null,
    parentKeyId: null,
    wrapped: randomBytes(WRAPPED_BYTES),
  }
  await subject.store.insertKey(key)
  await subject.store.eraseKeys(key.record)
  await subject.store.insertKey({ ...key, keyId: 'ijklMNOP' })
  expect(await subject.store.readKeys(key.record)).toBe('erased')
})
