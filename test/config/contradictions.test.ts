import { describe, expect, it } from 'vitest'
import { type Config, loadConfig } from '../../src/config/config.ts'
import { warnings, contradictions } from '../../src/config/contradictions.ts'

const changed = (change: { readonly [Group in keyof Config]?: Partial<Config[Group]> }): Config => {
  const defaults = loadConfig({})
  const groups = Object.entries(defaults).map(([group, values]) => [
    group,
    { ...values, ...change[group as keyof Config] },
  ])
  return Object.fromEntries(groups) as Config
}

describe('contradictions', () => {
  it('do not exist among the defaults', () => {
    expect(contradictions(loadConfig({}))).toEqual([])
  })

  it.each([
    ['a certificate without its key', { http: { tlsCertFile: 'cert.pem' } }],
    ['metrics on the public port', { http: { port: 9464 } }],
    ['contact points that nothing uses', { cassandra: { contactPoints: ['db'] } }],
    ['a password without a user', { cassandra: { passwordFile: 'secret' } }],
    ['an authority for a Cassandra without TLS', { cassandra: { tlsCaFile: 'ca.crt' } }],
    ['half of a certificate for Cassandra', { cassandra: { tls: true, tlsKeyFile: 'client.key' } }],
    [
      'a local datacenter among the others',
      { cassandra: { otherDatacenters: [{ datacenter: 'datacenter1', copies: 3 }] } },
    ],
    ['an authority for a Kafka without TLS', { stream: { tlsCaFile: 'ca.crt' } }],
    ['half of a certificate for Kafka', { stream: { tls: true, tlsCertFile: 'client.crt' } }],
    ['SASL without a password', { stream: { kafkaSasl: 'plain', kafkaUsername: 'vouchsafe' } }],
    ['a user of Kafka without SASL', { stream: { kafkaUsername: 'vouchsafe' } }],
    ['Kafka without brokers', { stream: { engine: 'kafka' } }],
    ['brokers that nothing uses', { stream: { kafkaBrokers: ['k:9092'] } }],
    ['a death faster than three heartbeats', { cluster: { deadAfterMs: 5_000 } }],
    ["an actor's queue larger than its shard's", { actors: { actorQueueMax: 9_000 } }],
  ] as const)('include %s, in one line', (_name, change) => {
    expect(contradictions(changed(change))).toHaveLength(1)
  })

  it('include Cassandra without contact points and without a shared master key', () => {
    expect(contradictions(changed({ journal: { engine: 'cassandra' } }))).toHaveLength(2)
    const complete = changed({
      journal: { engine: 'cassandra' },
      cassandra: { contactPoints: ['db'] },
      storage: { vaultKeyFile: 'vault.key' },
    })
    expect(contradictions(complete)).toEqual([])
  })

  it('do not exist where both ports are chosen by the system', () => {
    expect(contradictions(changed({ http: { port: 0 }, operations: { privatePort: 0 } }))).toEqual([])
  })
})

describe('a caution', () => {
  it('is said where nodes that share a journal would each have their own ledger', () => {
    expect(warnings(changed({ journal: { engine: 'cassandra' } }))).toEqual([
      expect.stringMatching(/^VOUCHSAFE_JOURNAL=cassandra with VOUCHSAFE_LEDGER=sandbox: /),
    ])
    expect(warnings(loadConfig({}))).toEqual([])
    expect(warnings(changed({ journal: { engine: 'cassandra' }, ledger: { engine: 'indy' } }))).toEqual([])
  })

  it('is said where a password would go over the network in clear', () => {
    const named = { username: 'vouchsafe', passwordFile: 'secret' }
    const plain = { kafkaSasl: 'plain', kafkaUsername: 'vouchsafe', kafkaPasswordFile: 'secret' } as const
    expect(warnings(changed({ cassandra: named, stream: plain }))).toHaveLength(2)
    expect(
      warnings(changed({ cassandra: { ...named, tls: true }, stream: { ...plain, tls: true } })),
    ).toEqual([])
  })
})
