import { isRefused } from '../../domain/decider.ts'
import { SHARD_COUNT } from '../../domain/references.ts'
import type { Actors } from '../../ports/actors.ts'
import type { FinishedRecord, FinishedRecords } from '../../ports/directory.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { forgetRecord } from './forget-record.ts'
import { readTenant } from './read.ts'

const DAY_MS = 86_400_000
/** How often the clock is looked at when no sweep is due. */
const LOOK_MS = 5_000
/** A shard whose sweep failed has its next one then, not at once. */
const AGAIN_MS = 600_000
const PAGE = 64
/** Beside what callers ask for, few: the rest of a page waits. */
const AT_ONCE = 8

export type SweepParts = {
  readonly actors: Actors
  readonly runtime: Runtime
  readonly finished: FinishedRecords
  /** Whether this node serves the shard. */
  readonly isOpen: (shard: number) => boolean
  readonly recordsPerSecond: number
  /** After the start, so that a service that restarts does not begin with this; null: only when it is asked to. */
  readonly firstAfterMs: number | null
  readonly swept: (shard: number, records: number) => void
  readonly failed: (shard: number, error: unknown) => void
}

/**
 * Erases the personal data of exchanges whose time is over, and what their webhooks and those of connections said: one
 * shard after the other, each once a day at its own time of the day. What is owed follows from what there is, the
 * finished records and the period that their organisation has set now; so nothing is remembered, and whatever a crash
 * cut off the next sweep finds again.
 */
export class RetentionSweep implements AsyncDisposable {
  readonly #parts: SweepParts
  readonly #stopped = new AbortController()
  /** The turn that each shard has had; the first after a start looks for what was missed. */
  readonly #turns = new Map<number, number>()
  readonly #notBefore = new Map<number, number>()
  readonly #running: Promise<void>

  constructor(parts: SweepParts) {
    this.#parts = parts
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort(new Error('the sweep stops'))
    await this.#running
  }

  /** All shards of this node, one after the other; answers with the number of records. */
  async sweepNow(): Promise<number> {
    let records = 0
    for (let shard = 0; shard < SHARD_COUNT; shard++)
      if (this.#parts.isOpen(shard)) records += (await this.#sweep(shard)).records
    return records
  }

  async #run(): Promise<void> {
    const { runtime, firstAfterMs } = this.#parts
    const { signal } = this.#stopped
    if (firstAfterMs === null) return
    const isOver = (ms: number) =>
      runtime.sleep(ms, signal).then(
        () => signal.aborted,
        () => true,
      )
    if (await isOver(firstAfterMs)) return
    for (;;) {
      for (const shard of this.#due()) await this.#sweepInTurn(shard)
      if (await isOver(LOOK_MS)) return
    }
  }

  *#due(): Generator<number> {
    const { runtime, isOpen } = this.#parts
    for (let shard = 0; shard < SHARD_COUNT && !this.#stopped.signal.aborted; shard++) {
      // Another one, not a later one: a clock that was ahead for a moment puts off no sweep.
      const isDue = turnOf(shard, runtime.now()) !== this.#turns.get(shard)
      if (isDue && isOpen(shard) && runtime.monotonicMs() >= (this.#notBefore.get(shard) ?? 0)) yield shard
    }
  }

  async #sweepInTurn(shard: number): Promise<void> {
    const { runtime, swept, failed } = this.#parts
    const turn = turnOf(shard, runtime.now())
    try {
      const { records, isComplete } = await this.#sweep(shard)
      if (isComplete) this.#turns.set(shard, turn)
      else this.#comeAgain(shard)
      if (records > 0) swept(shard, records)
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      this.#comeAgain(shard)
      failed(shard, error)
    }
  }

  #comeAgain(shard: number): void {
    this.#notBefore.set(shard, this.#parts.runtime.monotonicMs() + AGAIN_MS)
  }

  /** An organisation that cannot be swept now, because it cannot be read, holds up no other. */
  async #sweep(shard: number): Promise<{ readonly records: number; readonly isComplete: boolean }> {
    const { finished, failed } = this.#parts
    let records = 0
    let isComplete = true
    for (const tenant of await finished.tenantsWithFinished(shard)) {
      try {
        records += await this.#sweepOf(shard, tenant)
      } catch (error) {
        this.#stopped.signal.throwIfAborted()
        // Where there are many, as on a node without their own shards, the first says it for all.
        if (isComplete) failed(shard, error)
        isComplete = false
      }
    }
    return { records, isComplete }
  }

  async #sweepOf(shard: number, tenant: string): Promise<number> {
    const { finished } = this.#parts
    let records = 0
    for (let after: FinishedRecord | null = null; ; ) {
      // Asked for each page: a period that is changed, or a suspension, holds from then on.
      const over = await this.#endOfTime(tenant)
      if (over === null) return records
      const page: readonly FinishedRecord[] = await finished.finishedBefore({
        shard,
        tenant,
        ...over,
        after,
        limit: PAGE,
      })
      const done = await this.#forgetAll(shard, tenant, page)
      await finished.swept(done)
      records += done.length
      after = page.at(-1) ?? null
      if (page.length < PAGE) return records
    }
  }

  /**
   * What finished before this time is kept no longer; null where nothing is to be erased now. Where records are kept until
   * they are erased, those that are erased leave what their webhooks said.
   */
  async #endOfTime(
    tenant: string,
  ): Promise<{ readonly beforeMs: number; readonly erasedOnly: boolean } | null> {
    const { actors, runtime } = this.#parts
    const found = await readTenant({ actors }, tenant)
    // A suspended organisation loses nothing: what falls due meanwhile goes when it is active again.
    if (isRefused(found) || found.status !== 'active') return null
    const { retentionDays: days } = found
    return { beforeMs: runtime.now() - days * DAY_MS, erasedOnly: days === 0 }
  }

  /**
   * A few at once, and no more in a second than is set, each at its time: a page at once would have callers wait behind
   * all of it. Answers with the rows of those for which nothing is left to do.
   */
  async #forgetAll(
    shard: number,
    tenant: string,
    page: readonly FinishedRecord[],
  ): Promise<readonly number[]> {
    const { actors, runtime, recordsPerSecond, failed } = this.#parts
    const { signal } = this.#stopped
    const done: number[] = []
    const waiting = page.entries()
    const startedMs = runtime.monotonicMs()
    const untilTurn = async (turn: number): Promise<void> => {
      const leftMs = startedMs + (turn * 1_000) / recordsPerSecond - runtime.monotonicMs()
      if (leftMs > 0) await runtime.sleep(leftMs, signal)
    }
    const work = async (): Promise<void> => {
      for (const [turn, { id, row }] of waiting) {
        await untilTurn(turn)
        signal.throwIfAborted()
        try {
          if (await forgetRecord({ actors, runtime }, tenant, id)) done.push(row)
        } catch (error) {
          // It holds up no other, and the next sweep tries it again.
          failed(shard, error)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    await untilTurn(page.length)
    return done
  }
}

/** Turns are days that begin at another time for each shard, so that sweeps are spread over the day. */
const turnOf = (shard: number, nowMs: number): number =>
  Math.floor((nowMs - (shard * DAY_MS) / SHARD_COUNT) / DAY_MS)
