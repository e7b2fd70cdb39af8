import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Projector } from '../../src/directory/projector.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { Random } from '../../tools/simulate/random.ts'
import { MemoryParking } from '../host/parts/memory-parking.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { row } from './directory-rows.ts'

const SEEDS = Number(process.env['COUNTS_SEEDS'] ?? 12)
const FIRST_SEED = Number(process.env['COUNTS_SEED'] ?? 1)
const COMMITS = 120
const RECORDS = 25
const HOURS = 200
const HOUR_MS = 3_600_000
const STATES = ['offer-sent', 'request-received', 'done', 'abandoned']
const TENANTS = ['t1', 't2']

/** One shard whose projector is killed at any moment, and whose file may go on as it was a while before. */
class Crashing {
  readonly truth = new Map<string, DirectoryRow>()
  readonly #random: Random
  readonly #log: string[] = []
  readonly #folder = temporaryFolder('counts-after-crash')
  #kept = 0
  #files = 0
  #committed: (shard: number, no: number) => void = () => undefined
  #file: SqliteDirectory
  #projector: Projector

  constructor(seed: number) {
    this.#random = new Random(seed)
    this.#file = this.#open()
    this.#projector = this.#project()
  }

  commit(hour: number): void {
    const id = `cre_00${String(this.#random.below(RECORDS)).padStart(8, '0')}`
    const state = this.#random.pick(STATES)
    const known = this.truth.get(id)
    const steps = [...(known?.steps ?? []), [state, hour * HOUR_MS] as const]
    const tenant = known?.tenant ?? this.#random.pick(TENANTS)
    this.truth.set(id, row(id, { tenant, state, steps, updatedAtMs: hour }))
    this.#log.push(id)
    this.#committed(0, this.#log.length)
  }

  /** Some of what was committed may be projected by then, or in a transaction that never ends. */
  async kill(): Promise<void> {
    const from = this.#path()
    this.#files += 1
    const isOlder = this.#random.oneIn(2)
    // As it lies on the disk at that moment; what comes after, a crash may have lost.
    if (isOlder) this.#copy(from)
    for (let turns = this.#random.below(20); turns > 0; turns--) await setImmediate()
    if (!isOlder) this.#copy(from)
    await this.#projector[Symbol.asyncDispose]()
    this.#file[Symbol.dispose]()
    this.#file = this.#open()
    // The lists of another node were ahead, so the log no longer has what this file has not read.
    if (this.#random.oneIn(4)) this.#kept = this.#log.length
    this.#projector = this.#project()
  }

  async settled(): Promise<void> {
    await this.#projector.caughtUp()
  }

  async close(): Promise<void> {
    await this.#projector[Symbol.asyncDispose]()
    this.#file[Symbol.dispose]()
  }

  async counted(tenant: string | null) {
    const lists = [{ kind: 'credential', waiting: [] }]
    const [of] = await this.#file.overview({ tenant, lists, fromHour: 0, toHour: HOURS, hoursEach: 1 })
    return { now: of?.now, counts: of?.counts }
  }

  /** The same from the records as they are. */
  should(tenant: string | null) {
    const now: Record<string, number> = {}
    const counts: Record<string, number[]> = {}
    for (const { tenant: whose, state, steps = [] } of this.truth.values()) {
      if (tenant !== null && whose !== tenant) continue
      now[state] = (now[state] ?? 0) + 1
      for (const [name, atMs] of steps) {
        const hours = (counts[name] ??= Array.from({ length: HOURS }, () => 0))
        const hour = atMs / HOUR_MS
        hours[hour] = (hours[hour] ?? 0) + 1
      }
    }
    return { now, counts }
  }

  #path(): string {
    return join(this.#folder, `directory-${this.#files}.sqlite`)
  }

  #copy(from: string): void {
    for (const end of ['', '-wal']) cpSync(`${from}${end}`, `${this.#path()}${end}`)
  }

  #open(): SqliteDirectory {
    return new SqliteDirectory(this.#path())
  }

  #project(): Projector {
    const file = this.#file
    const runtime = createRuntime()
    return new Projector({
      journal: {
        readTail: async (_shard, from, limit) => {
          const read = from === null ? 0 : from.index < 0 ? from.no - 1 : from.no
          const first = Math.max(read + 1, this.#kept, 1)
          return this.#log.slice(first - 1, first - 1 + limit).map((actor, at) => ({
            no: first + at,
            index: 0,
            epoch: 1,
            entry: { actor, seq: 1, commandId: null, events: [], timersSet: [], timersCleared: [] },
          }))
        },
        firstKeptNo: async () => this.#kept,
        savePosition: async () => undefined,
        onCommitted: (listener) => {
          this.#committed = listener
          return () => undefined
        },
      },
      directory: {
        positionOf: async (shard) => file.positionOf(shard),
        write: async (shard, rows, position) => file.write(shard, rows, position),
      },
      runtime,
      shards: 1,
      rowsOf: async (actor) => {
        await setImmediate()
        return [this.truth.get(actor) ?? []].flat()
      },
      parking: new MemoryParking(),
      actorsOf: (): AsyncIterable<string> => this.#actors(),
      rebuilt: () => undefined,
      failed: () => undefined,
    })
  }

  async *#actors(): AsyncGenerator<string> {
    yield* this.truth.keys()
  }
}

describe('what lists count', () => {
  it('is what the records are, whatever was killed, replayed or rebuilt', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const world = new Crashing(seed)
      const random = new Random(seed)
      for (let commit = 0; commit < COMMITS; commit++) {
        world.commit(commit)
        if (random.oneIn(3)) await setImmediate()
        if (random.oneIn(12)) await world.kill()
      }
      await expect
        .poll(async () => {
          await world.settled()
          return world.counted(null)
        })
        .toEqual(world.should(null))
      for (const tenant of TENANTS)
        expect(await world.counted(tenant), `seed ${seed}, ${tenant}`).toEqual(world.should(tenant))
      await world.close()
    }
  }, 120_000)
})
