import { Kafka, logLevel } from 'kafkajs'
import type { Config } from '../config/config.ts'

export type KafkaFindings = { readonly clusterId: string; readonly brokers: number }

const TIMEOUT_MS = 5_000

/** Connects once, reads, and disconnects; `vouchsafe doctor` uses it. */
export const inspectKafka = async (config: Config['stream']): Promise<KafkaFindings> => {
  const admin = new Kafka({
    clientId: `${config.kafkaTopicPrefix}-doctor`,
    brokers: [...config.kafkaBrokers],
    connectionTimeout: TIMEOUT_MS,
    requestTimeout: TIMEOUT_MS,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  }).admin()
  try {
    await admin.connect()
    const { clusterId, brokers } = await admin.describeCluster()
    return { clusterId, brokers: brokers.length }
  } finally {
    await admin.disconnect()
  }
}
