import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, loadConfig } from '../../src/config/config.ts'
import { registerMigrate } from '../../src/cli/migrate.ts'
import { inspectCassandra } from '../../src/persistence/cassandra-inspection.ts'
import { CassandraJournalStore } from '../../src/persistence/cassandra/journal-store.ts'
import { cassandraSettings } from '../../src/persistence/engine-settings.ts'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { inspectKafka } from '../../src/stream/kafka-inspection.ts'
import { openStream } from '../../src/stream/open-stream.ts'
import { type Cassandra, startCassandra } from '../../tools/infra/cassandra.ts'
import { createAuthority } from '../../tools/infra/certificates.ts'
import { type Kafka, startKafka } from '../../tools/infra/kafka.ts'
import { newServerSecurity, type ServerSecurity } from '../../tools/infra/server-security.ts'
import { vouchsafe } from '../cli/parts/vouchsafe.ts'
import { batchSlot, entry, openSlot, someActor } from '../contract/journal/parts/slots.ts'
import { collector, records } from '../contract/stream/stream-suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-secured')
const START_LIMIT_MS = 600_000

/** The files that an operator would give the service. */
const filesOf = (name: string, { authority, client, password }: ServerSecurity) => {
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  const put = (file: string, text: string): string => {
    writeFileSync(join(home, file), text, { mode: 0o600 })
    return join(home, file)
  }
  return {
    ca: put('ca.crt', authority),
    cert: put('client.crt', client.certificate),
    key: put('client.key', client.key),
    password: put('password', `${password}\n`),
    wrongPassword: put('wrong-password', 'guessed\n'),
    strangers: put('strangers.crt', createAuthority('somebody else').certificate),
  }
}

describe('a Cassandra and a Kafka that speak TLS alone and ask for a password', () => {
  // The user that Cassandra brings.
  const ofCassandra = newServerSecurity('cassandra', 'cassandra')
  const ofKafka = newServerSecurity('vouchsafe', 'secret')
  let cassandra: Cassandra
  let kafka: Kafka
  let environment: Record<string, string>
  let config: Config

  beforeAll(async () => {
    ;[cassandra, kafka] = await Promise.all([
      startCassandra({ security: ofCassandra, heapMegabytes: 512 }),
      startKafka({ security: ofKafka }),
    ])
    const [files, kafkaFiles] = [filesOf('cassandra', ofCassandra), filesOf('kafka', ofKafka)]
    const vaultKey = join(folder, 'vault.key')
    createMasterKeyFile(vaultKey, newMasterKey())
    environment = {
      VOUCHSAFE_VAULT_KEY_FILE: vaultKey,
      VOUCHSAFE_JOURNAL: 'cassandra',
      VOUCHSAFE_CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
      VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
      VOUCHSAFE_CASSANDRA_CONSISTENCY: 'local_quorum',
      VOUCHSAFE_CASSANDRA_USERNAME: ofCassandra.username,
      VOUCHSAFE_CASSANDRA_PASSWORD_FILE: files.password,
      VOUCHSAFE_CASSANDRA_TLS: 'true',
      VOUCHSAFE_CASSANDRA_TLS_CA_FILE: files.ca,
      VOUCHSAFE_CASSANDRA_TLS_CERT_FILE: files.cert,
      VOUCHSAFE_CASSANDRA_TLS_KEY_FILE: files.key,
      VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '30000',
      VOUCHSAFE_STREAM: 'kafka',
      VOUCHSAFE_KAFKA_BROKERS: kafka.brokers.join(','),
      VOUCHSAFE_KAFKA_SASL: 'scram-sha-512',
      VOUCHSAFE_KAFKA_USERNAME: ofKafka.username,
      VOUCHSAFE_KAFKA_PASSWORD_FILE: kafkaFiles.password,
      VOUCHSAFE_KAFKA_TLS: 'true',
      VOUCHSAFE_KAFKA_TLS_CA_FILE: kafkaFiles.ca,
      VOUCHSAFE_KAFKA_TLS_CERT_FILE: kafkaFiles.cert,
      VOUCHSAFE_KAFKA_TLS_KEY_FILE: kafkaFiles.key,
    }
    config = loadConfig(environment)
  }, START_LIMIT_MS)
  afterAll(() => Promise.all([cassandra?.stop(), kafka?.stop()]))

  it('are migrated by the command', async () => {
    const { code, out, err } = await vouchsafe([registerMigrate], environment, ['migrate'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Keyspaces vouchsafe and vouchsafe_keys are of version')
    expect(out).toContain('Topic vouchsafe.events is made: partitions 32, copies 1, kept for 168 hours.')
  })

  it('keep the journal, with the serial consistency of the local datacenter', async () => {
    const store = await CassandraJournalStore.open(cassandraSettings(config.cassandra))
    try {
      expect(await store.append(openSlot(0, 0, 1))).toMatchObject({ is: 'written' })
      const slot = batchSlot(0, 1, 1, [entry(someActor(0), 1)])
      expect(await store.append(slot)).toMatchObject({ is: 'written' })
      expect(await store.append({ ...slot, batchId: 'another' })).toMatchObject({ batchId: slot.batchId })
    } finally {
      await store[Symbol.asyncDispose]()
    }
  })

  it.each(['scram-sha-512', 'plain'] as const)('carry events under SASL %s', async (kafkaSasl) => {
    const stream = await openStream(
      { ...config.stream, kafkaSasl, kafkaTopicPrefix: kafkaSasl },
      () => undefined,
    )
    try {
      const { handler, first } = collector()
      const member = await stream.subscribe('readers', handler)
      await stream.publish(records('ten_a', 5))
      await expect.poll(() => first().length, { timeout: 100_000 }).toBe(5)
      await member[Symbol.asyncDispose]()
    } finally {
      await (stream as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.()
    }
  })

  const strangers = () => join(folder, 'kafka', 'strangers.crt')
  const wrongPassword = () => join(folder, 'kafka', 'wrong-password')

  it('are not believed with a certificate of another authority', async () => {
    await expect(inspectCassandra({ ...config.cassandra, tlsCaFile: strangers() })).rejects.toThrow(
      /cannot be reached/,
    )
    await expect(inspectKafka({ ...config.stream, tlsCaFile: strangers() })).rejects.toThrow(/certificate/)
    // The authority is right, and the name is not the one that was asked for.
    await expect(inspectCassandra({ ...config.cassandra, tlsServerName: 'elsewhere' })).rejects.toThrow(
      /cannot be reached/,
    )
    await expect(
      inspectCassandra({ ...config.cassandra, tlsServerName: 'localhost' }),
    ).resolves.toMatchObject({
      nodes: 1,
    })
  })

  it('let nobody in without the password or the certificate', async () => {
    await expect(inspectCassandra({ ...config.cassandra, passwordFile: wrongPassword() })).rejects.toThrow(
      /cannot be reached/,
    )
    await expect(inspectKafka({ ...config.stream, kafkaPasswordFile: wrongPassword() })).rejects.toThrow(
      /[Aa]uthentication/,
    )
    const bare = { tlsCertFile: '', tlsKeyFile: '' }
    await expect(inspectCassandra({ ...config.cassandra, ...bare })).rejects.toThrow(/cannot be reached/)
    await expect(inspectKafka({ ...config.stream, ...bare })).rejects.toThrow()
    await expect(inspectCassandra({ ...config.cassandra, tls: false })).rejects.toThrow(/cannot be reached/)
  })
})
