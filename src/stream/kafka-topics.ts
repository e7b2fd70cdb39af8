import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs, { type Admin } from 'kafkajs'
import type { Config } from '../config/config.ts'
import { connectionOf, kafkaClient } from './kafka-client.ts'

/** What a topic is to be when it is made. Its partitions stay: which one an organisation has depends on their number. */
export type TopicPlan = {
  readonly topic: string
  readonly partitions: number
  /** On fewer brokers there are fewer. */
  readonly copies: number
  readonly retentionMs: number
}

export type FoundTopic = {
  readonly topic: string
  /** Made just now. */
  readonly isNew: boolean
  readonly partitions: number
  readonly copies: number
  readonly retentionHours: number
}

/** One event with everything that a large presentation disclosed must fit. */
const MESSAGE_BYTES_MAX = 4_194_304
/** Of three copies two are enough to acknowledge, so that a broker may be away. */
const COPIES_FOR_TWO = 3
const HOUR_MS = 3_600_000
const RETRY = { retries: 5, maxRetryTime: 2_000 }
/** A new topic is known to every broker within milliseconds, on a busy machine within seconds. */
const KNOWN_WITHIN_MS = 20_000
const KNOWN_PAUSE_MS = 100

export const planDefaults = { copies: 3, retentionMs: 168 * HOUR_MS }

export const eventsTopic = (topicPrefix: string): string => `${topicPrefix}.events`

/** Every topic of the service: a new one is a line here, and `vouchsafe migrate` makes and checks it. */
export const plannedTopics = (config: Config['stream']): readonly TopicPlan[] => {
  const { kafkaTopicPrefix, kafkaPartitions, kafkaReplicationFactor, kafkaRetentionHours } = config
  const usual = {
    partitions: kafkaPartitions,
    copies: kafkaReplicationFactor,
    retentionMs: kafkaRetentionHours * HOUR_MS,
  }
  return [{ topic: eventsTopic(kafkaTopicPrefix), ...usual }]
}

/** Makes the topics that are missing and looks at all; throws where one of them cannot be worked with. */
export const migrateKafka = async (
  config: Config['stream'],
): Promise<{ readonly topics: readonly FoundTopic[]; readonly warnings: readonly string[] }> => {
  const admin = kafkaClient(`${config.kafkaTopicPrefix}-migrate`, connectionOf(config), RETRY).admin()
  try {
    await admin.connect()
    const looked = []
    for (const plan of plannedTopics(config)) looked.push(await migrateTopic(admin, plan))
    return {
      topics: looked.map(({ found }) => found),
      warnings: looked.flatMap(({ warnings }) => warnings),
    }
  } finally {
    await admin.disconnect()
  }
}

const migrateTopic = async (admin: Admin, plan: TopicPlan) => {
  const isNew = await makeTopic(admin, plan)
  const { partitions, copies } = await shapeOf(admin, plan.topic)
  const limits = await settingsOf(admin, plan.topic)
  requireMessages(plan.topic, limits)
  if (partitions < plan.partitions)
    throw new Error(
      `The Kafka topic ${plan.topic} has ${partitions} partitions, and ${plan.partitions} are wanted: organisations would change theirs, so let every reader come to the end and stop the service before you add some, or set VOUCHSAFE_KAFKA_PARTITIONS to ${partitions}.`,
    )
  const wantedCopies = Math.min(plan.copies, (await admin.describeCluster()).brokers.length)
  const retentionMs = Number(limits?.get('retention.ms') ?? plan.retentionMs)
  const warnings = [
    ...(copies < wantedCopies
      ? [
          `The Kafka topic ${plan.topic} has ${copies} copies of every event, and ${wantedCopies} are wanted: add some (kafka-reassign-partitions).`,
        ]
      : []),
    ...(retentionMs === plan.retentionMs
      ? []
      : [
          `The Kafka topic ${plan.topic} keeps events for ${shownHours(retentionMs)}, and ${shownHours(plan.retentionMs)} are wanted: set its retention.ms to ${plan.retentionMs}, or mend VOUCHSAFE_KAFKA_RETENTION_HOURS.`,
        ]),
  ]
  const retentionHours = retentionMs / HOUR_MS
  return { found: { topic: plan.topic, isNew, partitions, copies, retentionHours }, warnings }
}

const shownHours = (ms: number): string => (ms < 0 ? 'ever' : `${Math.round(ms / 36_000) / 100} hours`)

/** False where it exists, also when another node was quicker. */
export const makeTopic = async (admin: Admin, plan: TopicPlan): Promise<boolean> => {
  const { topic, partitions, retentionMs } = plan
  if ((await admin.listTopics()).includes(topic)) return false
  const copies = Math.min(plan.copies, (await admin.describeCluster()).brokers.length)
  return admin.createTopics({
    topics: [
      {
        topic,
        numPartitions: partitions,
        replicationFactor: copies,
        configEntries: [
          { name: 'max.message.bytes', value: String(MESSAGE_BYTES_MAX) },
          { name: 'min.insync.replicas', value: copies >= COPIES_FOR_TWO ? '2' : '1' },
          { name: 'retention.ms', value: String(retentionMs) },
        ],
      },
    ],
    // If it waited for leaders, the library would fail at once on a broker that does not know the new topic yet.
    waitForLeaders: false,
  })
}

/** A topic that was made by others, or before: what it refuses for its size would be parked, and fill the parking. */
export const checkTopic = async (admin: Admin, topic: string): Promise<void> => {
  await shapeOf(admin, topic)
  requireMessages(topic, await settingsOf(admin, topic))
}

const requireMessages = (topic: string, limits: ReadonlyMap<string, string> | null): void => {
  const limit = Number(limits?.get('max.message.bytes') ?? MESSAGE_BYTES_MAX)
  if (limit < MESSAGE_BYTES_MAX)
    throw new Error(
      `The Kafka topic ${topic} takes messages of ${limit} bytes, and an event may have ${MESSAGE_BYTES_MAX}: set its max.message.bytes to ${MESSAGE_BYTES_MAX} or more.`,
    )
}

/** Null where they may not be looked at: who may write and not do this has an operator who knows them. */
const settingsOf = async (admin: Admin, topic: string): Promise<ReadonlyMap<string, string> | null> => {
  const configNames = ['max.message.bytes', 'retention.ms']
  const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames }
  try {
    const described = { resources: [resource], includeSynonyms: false }
    const { resources } = await untilKnown(() => admin.describeConfigs(described))
    const entries = resources[0]?.configEntries ?? []
    return new Map(entries.map(({ configName, configValue }) => [configName, configValue]))
  } catch (error) {
    if (isOfType(error, 'TOPIC_AUTHORIZATION_FAILED')) return null
    throw error
  }
}

/** The partitions of a topic and the fewest copies that one of them has. */
const shapeOf = async (
  admin: Admin,
  topic: string,
): Promise<{ readonly partitions: number; readonly copies: number }> => {
  const { topics } = await untilKnown(() => admin.fetchTopicMetadata({ topics: [topic] }))
  const partitions = topics[0]?.partitions ?? []
  return { partitions: partitions.length, copies: Math.min(...partitions.map((it) => it.replicas.length)) }
}

/** Asks again while the broker that was asked does not know the topic yet: it was made just now, here or by others. */
const untilKnown = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  for (const startedMs = performance.now(); ; ) {
    try {
      return await ask()
    } catch (error) {
      const isLate = performance.now() - startedMs > KNOWN_WITHIN_MS
      if (!isOfType(error, 'UNKNOWN_TOPIC_OR_PARTITION') || isLate) throw error
    }
    await sleep(KNOWN_PAUSE_MS)
  }
}

/** Compared by its field, because the library's classes of errors are not exports of its module. */
export const isOfType = (error: unknown, type: string): boolean =>
  error instanceof Error && 'type' in error && error.type === type
