import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs'
import type { StreamHandler, StreamRecord } from '../ports/stream.ts'
import { type Backoff, backoffMs } from '../timing/backoff.ts'
import { PLACE_HEADER, readRecord } from './record-text.ts'

/** Hears of failures that are tried again, and of records in the topic that are not events of ours. */
export type ReportTrouble = (trouble: {
  readonly during: 'consume' | 'record'
  readonly error: unknown
}) => void

export type MemberSettings = {
  readonly topic: string
  readonly group: string
  readonly handler: StreamHandler
  /** Null for a member of a group that begins with all records there are and continues where the brokers say. */
  readonly sole: SoleMember | null
  readonly report: ReportTrouble
}

/**
 * The only member of its group, which begins at `from` and continues from its own count, whatever the brokers remember.
 */
type SoleMember = {
  readonly from: readonly { readonly partition: number; readonly offset: string }[]
  /** Called when records may be missing: the brokers no longer have them, or a partition has begun again. */
  readonly lost: () => void
}

/** Few enough to be handled between two heartbeats. */
const RECORDS_AT_ONCE = 100
const HEARTBEAT_MS = 1_000
const SESSION_TIMEOUT_MS = 10_000
const FETCH_BYTES_MAX = 4_194_304
const RETRY_MS_MAX = 2_000
const BACKOFF: Backoff = { firstMs: 100, maxMs: 5_000 }
/** An empty fetch ends after this, and leaving the group may take as long. */
const FETCH_WAIT_MS = 500

/**
 * A member of a consumer group: hands records to the handler, and commits an offset only when everything before it was
 * handled.
 */
export class KafkaMember implements AsyncDisposable {
  readonly #settings: MemberSettings
  readonly #consumer: Consumer
  /** The next offset of each partition in this membership; earlier records were handled here already. */
  readonly #next = new Map<number, bigint>()
  readonly #stopped = new AbortController()
  #failures = 0

  constructor(kafka: Kafka, settings: MemberSettings) {
    this.#settings = settings
    this.#consumer = kafka.consumer({
      groupId: settings.group,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytes: FETCH_BYTES_MAX,
      maxBytesPerPartition: FETCH_BYTES_MAX / 4,
      allowAutoTopicCreation: false,
      retry: {
        retries: 10,
        maxRetryTime: RETRY_MS_MAX,
        restartOnFailure: () => Promise.resolve(!this.#stopped.signal.aborted),
      },
    })
    for (const { partition, offset } of settings.sole?.from ?? []) this.#next.set(partition, BigInt(offset))
    this.#consumer.on('consumer.group_join', ({ payload: { memberAssignment } }) => {
      if (settings.sole !== null) this.#seekOwnOffsets(memberAssignment[settings.topic] ?? [])
      // Partitions may return after another member had them, or be new under an old name.
      else this.#next.clear()
    })
    this.#consumer.on('consumer.crash', ({ payload: { error, restart } }) => {
      settings.report({ during: 'consume', error })
      if (!restart) void this.#startAgain()
    })
  }

  async start(): Promise<void> {
    await this.#consumer.connect()
    const { topic, sole } = this.#settings
    await this.#consumer.subscribe({ topics: [topic], fromBeginning: sole === null })
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (payload) => this.#eachBatch(payload),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.#consumer.disconnect()
  }

  /**
   * At every join the library itself would go to the ends of partitions without a commit, and forget earlier seeks. A
   * partition that did not exist at the beginning is read from its first record.
   */
  #seekOwnOffsets(partitions: readonly number[]): void {
    const { topic } = this.#settings
    if (this.#stopped.signal.aborted) return
    for (const partition of partitions)
      this.#consumer.seek({ topic, partition, offset: String(this.#next.get(partition) ?? 0n) })
  }

  /** Offsets have no gaps here, so a jump, or an end before the next offset, means that records were lost. */
  #noticeLoss(partition: number, first: string | undefined, end: string): void {
    const { sole } = this.#settings
    const next = this.#next.get(partition) ?? 0n
    if (sole === null || first === undefined) return
    if (BigInt(end) >= next && BigInt(first) <= next) return
    this.#next.set(partition, BigInt(first))
    sole.lost()
  }

  /** The library gives up on errors that it takes for final, such as a broker without a coordinator for groups yet. */
  async #startAgain(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await this.#pause()
      if (signal.aborted) return
      try {
        await this.start()
        if (signal.aborted) await this.#consumer.disconnect()
        return
      } catch (error) {
        this.#settings.report({ during: 'consume', error })
      }
    }
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const { partition, topic, messages } = payload.batch
    for (let start = 0; start < messages.length; start += RECORDS_AT_ONCE) {
      // The batch is stale when the partition was given away or moved back, so its messages belong to another member.
      if (!payload.isRunning() || payload.isStale() || this.#stopped.signal.aborted) return
      const some = messages.slice(start, start + RECORDS_AT_ONCE)
      const last = some.at(-1)
      if (last === undefined) return
      this.#noticeLoss(partition, some[0]?.offset, payload.batch.highWatermark)
      if (!(await this.#handle(partition, some, () => payload.heartbeat()))) return
      payload.resolveOffset(last.offset)
      const offset = String(BigInt(last.offset) + 1n)
      await this.#consumer.commitOffsets([{ topic, partition, offset }])
    }
  }

  /** False when the messages were not handled; they come again, because their offset is not resolved. */
  async #handle(
    partition: number,
    messages: readonly KafkaMessage[],
    heartbeat: () => Promise<void>,
  ): Promise<boolean> {
    const next = this.#next.get(partition) ?? -1n
    const records = messages
      .filter(({ offset }) => BigInt(offset) >= next)
      .flatMap((message) => this.#recordOf(message))
    // Heartbeats go on while the handler takes its time; a lost membership shows as a stale batch.
    const beating = setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_MS)
    try {
      if (records.length > 0) await this.#settings.handler(records)
      const last = messages.at(-1)
      if (last !== undefined) this.#next.set(partition, BigInt(last.offset) + 1n)
      this.#failures = 0
      return true
    } catch (error) {
      this.#settings.report({ during: 'consume', error })
      await this.#pause()
      return false
    } finally {
      clearInterval(beating)
    }
  }

  async #pause(): Promise<void> {
    this.#failures++
    await sleep(backoffMs(BACKOFF, this.#failures, Math.random()), undefined, {
      signal: this.#stopped.signal,
    }).catch(() => undefined)
  }

  /**
   * A record that no release of this service wrote would stop the partition for ever, so it is reported and skipped.
   */
  #recordOf({ value, headers, offset }: KafkaMessage): readonly StreamRecord[] {
    const place = headers?.[PLACE_HEADER]
    const record = readRecord(value?.toString('utf8') ?? null, place === undefined ? null : String(place))
    if (record !== null) return [record]
    this.#settings.report({
      during: 'record',
      error: new Error(`the record at offset ${offset} is no event`),
    })
    return []
  }
}
