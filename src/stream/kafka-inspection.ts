import type { Config } from '../config/config.ts'
import { connectionOf, kafkaClient } from './kafka-client.ts'

export type KafkaFindings = { readonly clusterId: string; readonly brokers: number }

const TIMEOUT_MS = 5_000

/** Connects once, reads, and disconnects; `vouchsafe doctor` uses it. */
export const inspectKafka = async (config: Config['stream']): Promise<KafkaFindings> => {
  const connection = { ...connectionOf(config), requestTimeoutMs: TIMEOUT_MS }
  const admin = kafkaClient(`${config.kafkaTopicPrefix}-doctor`, connection, { retries: 0 }).admin()
  try {
    await admin.connect()
    const { clusterId, brokers } = await admin.describeCluster()
    return { clusterId, brokers: brokers.length }
  } finally {
    await admin.disconnect()
  }
}
