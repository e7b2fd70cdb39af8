import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs, { type Admin, Kafka, logLevel, type Producer } from 'kafkajs'
import {
  EventRefused,
  type EventStream,
  type StreamHandler,
  type StreamListener,
  type StreamRecord,
} from '../ports/stream.ts'
import { KafkaMember, type MemberSettings, type ReportTrouble } from './kafka-member.ts'
import { PLACE_HEADER, placeText } from './record-text.ts'

export type KafkaStreamSettings = {
  readonly brokers: readonly string[]
  /** The first part of the names of topic and groups. */
  readonly topicPrefix: string
  readonly requestTimeoutMs: number
  /** Used when the topic is created. */
  readonly partitions: number
  readonly report: ReportTrouble
}

const RETRY_MS_MAX = 2_000
/** A new topic is known to every broker within milliseconds, on a busy machine within seconds. */
const KNOWN_WITHIN_MS = 20_000
const KNOWN_PAUSE_MS = 100
/** The size of one request: a broker refuses a batch above its limit, however often it is sent. */
const SEND_BYTES_MAX = 524_288
/** One event with everything that a large presentation disclosed must fit. */
const MESSAGE_BYTES_MAX = 4_194_304

/**
 * The stream of several nodes: one topic of public events, keyed by organisation, so that a partition has all events of
 * an organisation in order.
 */
export class KafkaStream implements EventStream {
  readonly #settings: KafkaStreamSettings
  readonly #kafka: Kafka
  readonly #admin: Admin
  readonly #producer: Producer
  readonly #members = new Set<KafkaMember>()
  readonly #topic: string

  private constructor(settings: KafkaStreamSettings) {
    const { topicPrefix, brokers, requestTimeoutMs } = settings
    this.#settings = settings
    this.#topic = `${topicPrefix}.events`
    this.#kafka = new Kafka({
      clientId: topicPrefix,
      brokers: [...brokers],
      requestTimeout: requestTimeoutMs,
      connectionTimeout: requestTimeoutMs,
      retry: { retries: 5, maxRetryTime: RETRY_MS_MAX },
      // The library's messages quote addresses and keys; failures that matter are reported.
      logLevel: logLevel.NOTHING,
    })
    this.#admin = this.#kafka.admin()
    // A single request in flight keeps the order when it has to be sent again.
    this.#producer = this.#kafka.producer({ maxInFlightRequests: 1, allowAutoTopicCreation: false })
  }

  static async open(settings: KafkaStreamSettings): Promise<KafkaStream> {
    const stream = new KafkaStream(settings)
    try {
      await stream.#open()
      return stream
    } catch (error) {
      await stream[Symbol.asyncDispose]()
      throw error
    }
  }

  async publish(records: readonly StreamRecord[]): Promise<void> {
    const messages = records.map(({ place, event }) => ({
      key: event.tenant,
      value: JSON.stringify(event),
      headers: { [PLACE_HEADER]: placeText(place) },
      timestamp: String(event.createdAtMs),
    }))
    for (let start = 0; start < messages.length; ) {
      let end = start
      let bytes = 0
      do bytes += messages[end++]?.value.length ?? 0
      while (end < messages.length && bytes + (messages[end]?.value.length ?? 0) <= SEND_BYTES_MAX)
      try {
        await this.#producer.send({ topic: this.#topic, acks: -1, messages: messages.slice(start, end) })
      } catch (error) {
        throw end === start + 1 && isTooLarge(error) ? new EventRefused(start, { cause: error }) : error
      }
      start = end
    }
  }

  subscribe(group: string, handler: StreamHandler): Promise<AsyncDisposable> {
    return this.#join(group, handler, null)
  }

  /**
   * Joins as the only member of a new group, from the ends of the partitions on. The group is deleted with the
   * listener.
   */
  async listen(listener: StreamListener, lost: () => void): Promise<AsyncDisposable> {
    const group = `listener.${randomUUID()}`
    const ends = await this.#admin.fetchTopicOffsets(this.#topic)
    const from = ends.map(({ partition, high }) => ({ partition, offset: high }))
    const member = await this.#join(group, async (records) => listener(records), { from, lost })
    return {
      [Symbol.asyncDispose]: async () => {
        await member[Symbol.asyncDispose]()
        // A group that cannot be deleted now expires at the brokers after a while.
        await this.#admin.deleteGroups([`${this.#settings.topicPrefix}.${group}`]).catch(() => undefined)
      },
    }
  }

  async probe(): Promise<void> {
    await this.#admin.fetchTopicMetadata({ topics: [this.#topic] })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#members].map((member) => member[Symbol.asyncDispose]()))
    this.#members.clear()
    await Promise.allSettled([this.#producer.disconnect(), this.#admin.disconnect()])
  }

  async #join(group: string, handler: StreamHandler, sole: MemberSettings['sole']): Promise<AsyncDisposable> {
    const { topicPrefix, report } = this.#settings
    const member = new KafkaMember(this.#kafka, {
      topic: this.#topic,
      group: `${topicPrefix}.${group}`,
      handler,
      sole,
      report,
    })
    this.#members.add(member)
    const leave = async () => {
      this.#members.delete(member)
      await member[Symbol.asyncDispose]()
    }
    try {
      await member.start()
    } catch (error) {
      await leave().catch(() => undefined)
      throw error
    }
    return { [Symbol.asyncDispose]: leave }
  }

  async #open(): Promise<void> {
    await this.#admin.connect()
    const { partitions } = this.#settings
    // The answer is false when the topic exists, also when another node was quicker.
    await this.#admin.createTopics({
      topics: [
        {
          topic: this.#topic,
          numPartitions: partitions,
          configEntries: [{ name: 'max.message.bytes', value: String(MESSAGE_BYTES_MAX) }],
        },
      ],
      // If it waited for leaders, the library would fail at once on a broker that does not know the new topic yet.
      waitForLeaders: false,
    })
    await this.#untilKnown()
    await this.#checkMessageLimit()
    await this.#producer.connect()
  }

  /** A topic that was made by others, or before: what it refuses for its size would be parked, and fill the parking. */
  async #checkMessageLimit(): Promise<void> {
    const name = 'max.message.bytes'
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: this.#topic, configNames: [name] }
    const described = this.#admin.describeConfigs({ resources: [resource], includeSynonyms: false })
    const { resources } = await described.catch((error: unknown) => {
      // Who may write and not look at the settings of the topic has an operator who knows them.
      if (isNotAllowed(error)) return { resources: [] }
      throw error
    })
    const limit = Number(resources[0]?.configEntries.find((each) => each.configName === name)?.configValue)
    if (limit < MESSAGE_BYTES_MAX)
      throw new Error(
        `The Kafka topic ${this.#topic} takes messages of ${limit} bytes, and an event may have ${MESSAGE_BYTES_MAX}: set its ${name} to ${MESSAGE_BYTES_MAX} or more.`,
      )
  }

  async #untilKnown(): Promise<void> {
    for (const startedMs = performance.now(); ; ) {
      try {
        return await this.probe()
      } catch (error) {
        if (!isUnknownTopic(error) || performance.now() - startedMs > KNOWN_WITHIN_MS) throw error
      }
      await sleep(KNOWN_PAUSE_MS)
    }
  }
}

/** Compared by its field, because the library's classes of errors are not exports of its module. */
const isOfType = (error: unknown, type: string): boolean =>
  error instanceof Error && 'type' in error && error.type === type
const isUnknownTopic = (error: unknown): boolean => isOfType(error, 'UNKNOWN_TOPIC_OR_PARTITION')
const isNotAllowed = (error: unknown): boolean => isOfType(error, 'TOPIC_AUTHORIZATION_FAILED')
const isTooLarge = (error: unknown): boolean => isOfType(error, 'MESSAGE_TOO_LARGE')
