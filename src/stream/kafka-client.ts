import { readFileSync } from 'node:fs'
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs'
import type { Config } from '../config/config.ts'

/** How to reach the brokers. */
export type KafkaConnection = {
  readonly brokers: readonly string[]
  readonly requestTimeoutMs: number
  /** Left out: in clear, and without a name. */
  readonly security?: KafkaSecurity
}

export type KafkaSecurity = Pick<KafkaConfig, 'ssl' | 'sasl'>

export const connectionOf = (config: Config['stream']): KafkaConnection => ({
  brokers: config.kafkaBrokers,
  requestTimeoutMs: config.kafkaRequestTimeoutMs,
  security: { ...tlsOf(config), ...saslOf(config) },
})

export const kafkaClient = (
  clientId: string,
  { brokers, requestTimeoutMs, security }: KafkaConnection,
  retry: NonNullable<KafkaConfig['retry']>,
): Kafka =>
  new Kafka({
    clientId,
    brokers: [...brokers],
    requestTimeout: requestTimeoutMs,
    connectionTimeout: requestTimeoutMs,
    ...security,
    retry,
    // The library's messages quote addresses and keys; failures that matter are reported.
    logLevel: logLevel.NOTHING,
  })

const tlsOf = ({ tls, tlsCaFile, tlsCertFile, tlsKeyFile }: Config['stream']): KafkaSecurity =>
  tls
    ? {
        ssl: {
          rejectUnauthorized: true,
          ...(tlsCaFile !== '' && { ca: [readFileSync(tlsCaFile, 'utf8')] }),
          ...(tlsCertFile !== '' && {
            cert: readFileSync(tlsCertFile, 'utf8'),
            key: readFileSync(tlsKeyFile, 'utf8'),
          }),
        },
      }
    : {}

const saslOf = ({ kafkaSasl, kafkaUsername, kafkaPasswordFile }: Config['stream']): KafkaSecurity => {
  if (kafkaSasl === 'none') return {}
  const [password = ''] = readFileSync(kafkaPasswordFile, 'utf8').split(/\r?\n/)
  const named = { username: kafkaUsername, password }
  const ways: Readonly<Record<typeof kafkaSasl, SASLOptions>> = {
    plain: { mechanism: 'plain', ...named },
    'scram-sha-256': { mechanism: 'scram-sha-256', ...named },
    'scram-sha-512': { mechanism: 'scram-sha-512', ...named },
  }
  return { sasl: ways[kafkaSasl] }
}
