import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type Config, loadConfig } from '../../../src/config/config.ts'
import { migrateKafka } from '../../../src/stream/kafka-topics.ts'
import { kafka } from '../../engines/engines.ts'

let made = 0

/** A prefix of its own for each test, on the broker that all share. */
const settings = async (more: Partial<Config['stream']> = {}): Promise<Config['stream']> => ({
  ...loadConfig({}).stream,
  engine: 'kafka',
  kafkaBrokers: (await kafka()).brokers,
  kafkaTopicPrefix: `topics-${process.pid}-${Date.now()}-${++made}`,
  kafkaPartitions: 4,
  ...more,
})

const topicOf = ({ kafkaTopicPrefix }: Config['stream']): string => `${kafkaTopicPrefix}.events`

const madeByOthers = async (
  config: Config['stream'],
  numPartitions: number,
  entries: Readonly<Record<string, string>>,
): Promise<void> => {
  const admin = new Kafka({ brokers: [...config.kafkaBrokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const configEntries = Object.entries(entries).map(([name, value]) => ({ name, value }))
    const topics = [{ topic: topicOf(config), numPartitions, configEntries }]
    // The library would fail at once where the broker does not lead the new topic yet; the migration waits for that.
    await admin.createTopics({ topics, waitForLeaders: false })
  } finally {
    await admin.disconnect()
  }
}

describe('the migration of Kafka', () => {
  it('makes the topic as the settings say, with as many copies as there are brokers', async () => {
    const config = await settings({ kafkaRetentionHours: 48 })
    const found = { topic: topicOf(config), partitions: 4, copies: 1, retentionHours: 48 }
    expect(await migrateKafka(config)).toEqual({ topics: [{ ...found, isNew: true }], warnings: [] })
    expect(await migrateKafka(config)).toEqual({ topics: [{ ...found, isNew: false }], warnings: [] })
  })

  it('refuses a topic with fewer partitions, and takes one with more', async () => {
    const config = await settings()
    await migrateKafka(config)
    await expect(migrateKafka({ ...config, kafkaPartitions: 5 })).rejects.toThrow(
      `The Kafka topic ${topicOf(config)} has 4 partitions, and 5 are wanted: `,
    )
    expect((await migrateKafka({ ...config, kafkaPartitions: 3 })).topics).toMatchObject([{ partitions: 4 }])
  })

  it('refuses a topic that takes no large events', async () => {
    const config = await settings()
    await madeByOthers(config, 4, {})
    await expect(migrateKafka(config)).rejects.toThrow(/takes messages of 1048588 bytes/)
  })

  it('leaves a topic that keeps its events for another time as it is, and says so', async () => {
    const config = await settings()
    await madeByOthers(config, 4, { 'max.message.bytes': '4194304', 'retention.ms': '3600000' })
    expect(await migrateKafka(config)).toEqual({
      topics: [{ topic: topicOf(config), isNew: false, partitions: 4, copies: 1, retentionHours: 1 }],
      warnings: [
        `The Kafka topic ${topicOf(config)} keeps events for 1 hours, and 168 hours are wanted: set its retention.ms to 604800000, or mend VOUCHSAFE_KAFKA_RETENTION_HOURS.`,
      ],
    })
  })
})
