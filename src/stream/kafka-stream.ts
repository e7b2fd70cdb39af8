import { randomUUID } from 'node:crypto'
import { type Admin, CompressionTypes, type Kafka, type Producer } from 'kafkajs'
import {
  EventRefused,
  type EventStream,
  type StreamHandler,
  type StreamListener,
  type StreamRecord,
} from '../ports/stream.ts'
import { type KafkaConnection, kafkaClient } from './kafka-client.ts'
import { KafkaMember, type MemberSettings, type ReportTrouble } from './kafka-member.ts'
import { checkTopic, eventsTopic, isOfType, makeTopic, planDefaults, type TopicPlan } from './kafka-topics.ts'
import { recordHeaders } from './record-text.ts'

export type KafkaStreamSettings = KafkaConnection & {
  /** The first part of the names of topic and groups. */
  readonly topicPrefix: string
  /** What the topic is to be where `vouchsafe migrate` has not made it. */
  readonly partitions: number
  readonly plan?: Pick<TopicPlan, 'copies' | 'retentionMs'>
  readonly report: ReportTrouble
}

const RETRY_MS_MAX = 2_000
/** The size of one request: a broker refuses a batch above its limit, however often it is sent. */
const SEND_BYTES_MAX = 524_288

/** A single small event is hardly smaller compressed. */
const COMPRESSED_BYTES_MIN = 2_048

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
    this.#settings = settings
    this.#topic = eventsTopic(settings.topicPrefix)
    this.#kafka = kafkaClient(settings.topicPrefix, settings, { retries: 5, maxRetryTime: RETRY_MS_MAX })
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
    const messages = records.map((record) => ({
      key: record.event.tenant,
      value: JSON.stringify(record.event),
      headers: recordHeaders(record),
      timestamp: String(record.event.createdAtMs),
    }))
    for (let start = 0; start < messages.length; ) {
      let end = start
      let bytes = 0
      do bytes += messages[end++]?.value.length ?? 0
      while (end < messages.length && bytes + (messages[end]?.value.length ?? 0) <= SEND_BYTES_MAX)
      try {
        const some = messages.slice(start, end)
        const compression = bytes < COMPRESSED_BYTES_MIN ? CompressionTypes.None : CompressionTypes.GZIP
        await this.#producer.send({ topic: this.#topic, acks: -1, compression, messages: some })
      } catch (error) {
        throw end === start + 1 && isTooLarge(error) ? new EventRefused(start, { cause: error }) : error
      }
      start = end
    }
  }

  subscribe(
    group: string,
    handler: StreamHandler,
    setAside: MemberSettings['setAside'] = null,
  ): Promise<AsyncDisposable> {
    return this.#join(group, handler, { sole: null, setAside })
  }

  /**
   * Joins as the only member of a new group, from the ends of the partitions on. The group is deleted with the
   * listener.
   */
  async listen(listener: StreamListener, lost: () => void): Promise<AsyncDisposable> {
    const group = `listener.${randomUUID()}`
    const ends = await this.#admin.fetchTopicOffsets(this.#topic)
    const from = ends.map(({ partition, high }) => ({ partition, offset: high }))
    const sole = { from, lost }
    const member = await this.#join(group, async (records) => listener(records), { sole, setAside: null })
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

  async #join(
    group: string,
    handler: StreamHandler,
    of: Pick<MemberSettings, 'sole' | 'setAside'>,
  ): Promise<AsyncDisposable> {
    const { topicPrefix, report } = this.#settings
    const member = new KafkaMember(this.#kafka, {
      topic: this.#topic,
      group: `${topicPrefix}.${group}`,
      handler,
      ...of,
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
    const { partitions, plan = planDefaults } = this.#settings
    await makeTopic(this.#admin, { topic: this.#topic, partitions, ...plan })
    await checkTopic(this.#admin, this.#topic)
    await this.#producer.connect()
  }
}

const isTooLarge = (error: unknown): boolean => isOfType(error, 'MESSAGE_TOO_LARGE')
