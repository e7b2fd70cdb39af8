import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs'
import type { StreamHandler, StreamRecord, UnreadableRecord } from '../ports/stream.ts'
import { type Backoff, backoffMs } from '../timing/backoff.ts'
import { readRecord, type RecordHeaders } from './record-text.ts'

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
  /** Takes what cannot be read, before the records behind it go on; null: it is left out. */
  readonly setAside: ((record: UnreadableRecord) => Promise<void>) | null
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
    const fresh = messages.filter(({ offset }) => BigInt(offset) >= next)
    // Heartbeats go on while the handler takes its time; a lost membership shows as a stale batch.
    const beating = setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_MS)
    try {
      const records: StreamRecord[] = []
      for (const message of fresh) records.push(...(await this.#recordOf(message)))
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
   * A record that cannot be read would stop the partition for ever. So it is set aside, from where an operator has it
   * tried again, and one that no release of this service wrote is left out; both are reported.
   */
  async #recordOf({ key, value, headers, offset }: KafkaMessage): Promise<readonly StreamRecord[]> {
    const read = readRecord(value?.toString('utf8') ?? null, {
      key: key?.toString('utf8') ?? null,
      headers: textsOf(headers),
    })
    if ('record' in read) return [read.record]
    const { unreadable } = read
    const { report, setAside } = this.#settings
    report({
      during: 'record',
      error: unreadable?.error ?? new Error(`the record at offset ${offset} is no event`),
    })
    if (unreadable !== null && setAside !== null) await setAside(unreadable)
    return []
  }
}

const textsOf = (headers: KafkaMessage['headers']): RecordHeaders =>
  Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
