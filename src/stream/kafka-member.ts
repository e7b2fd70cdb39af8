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
  /** Null: one of a group that begins with all that is there, and goes on where the brokers say. */
  readonly alone: Alone | null
  readonly report: ReportTrouble
}

/** The only member of its group, which begins here and goes on where it stood itself, whatever the brokers remember. */
type Alone = {
  readonly from: readonly { readonly partition: number; readonly offset: string }[]
  /** Called when records may be missing: the brokers no longer have them, or have begun anew. */
  readonly lost: () => void
}

/** Small enough to be handled between two signs of life. */
const RECORDS_AT_ONCE = 100
const HEARTBEAT_MS = 1_000
const SESSION_TIMEOUT_MS = 10_000
const FETCH_BYTES_MAX = 4_194_304
const RETRY_MS_MAX = 2_000
const BACKOFF: Backoff = { firstMs: 100, maxMs: 5_000 }
/** An empty fetch ends after this; so long can leaving take. */
const FETCH_WAIT_MS = 500

/** One member of a consumer group: hands records on, and commits an offset only when everything before it was handled. */
export class KafkaMember implements AsyncDisposable {
  readonly #settings: MemberSettings
  readonly #consumer: Consumer
  /** Next offset of each partition of this membership; what comes below it was handled here already. */
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
    for (const { partition, offset } of settings.alone?.from ?? []) this.#next.set(partition, BigInt(offset))
    this.#consumer.on('consumer.group_join', ({ payload: { memberAssignment } }) => {
      if (settings.alone !== null) this.#goOn(memberAssignment[settings.topic] ?? [])
      // Partitions may come back after another member had them, or be new under an old name.
      else this.#next.clear()
    })
    this.#consumer.on('consumer.crash', ({ payload: { error, restart } }) => {
      settings.report({ during: 'consume', error })
      if (!restart) void this.#startAgain()
    })
  }

  async start(): Promise<void> {
    await this.#consumer.connect()
    const { topic, alone } = this.#settings
    await this.#consumer.subscribe({ topics: [topic], fromBeginning: alone === null })
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
   * Left to itself, the library goes on at the ends of partitions of which nothing was committed yet, with every join
   * anew, and forgets what it was told before. A partition that was not there at the beginning is heard from its first.
   */
  #goOn(partitions: readonly number[]): void {
    const { topic } = this.#settings
    if (this.#stopped.signal.aborted) return
    for (const partition of partitions)
      this.#consumer.seek({ topic, partition, offset: String(this.#next.get(partition) ?? 0n) })
  }

  /** Offsets have no gaps here: a jump, or an end before what was heard already, means that something was lost. */
  #noticeLoss(partition: number, first: string | undefined, end: string): void {
    const { alone } = this.#settings
    const next = this.#next.get(partition) ?? 0n
    if (alone === null || first === undefined) return
    if (BigInt(end) >= next && BigInt(first) <= next) return
    this.#next.set(partition, BigInt(first))
    alone.lost()
  }

  /** The library gives up on what it takes for final, such as a broker that has no coordinator for groups yet. */
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
      // Stale: the partition was given away or moved back, and these messages are no longer ours to handle.
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

  /** False: not handled, and the same messages come again because their offset is not resolved. */
  async #handle(
    partition: number,
    messages: readonly KafkaMessage[],
    heartbeat: () => Promise<void>,
  ): Promise<boolean> {
    const next = this.#next.get(partition) ?? -1n
    const records = messages
      .filter(({ offset }) => BigInt(offset) >= next)
      .flatMap((message) => this.#recordOf(message))
    // Signs of life go on while the handler takes its time; a lost membership shows as a stale batch.
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

  /** A text that no release of ours wrote would stop the partition for ever: it is reported and left behind. */
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
