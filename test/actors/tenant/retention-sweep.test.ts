import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RetentionSweep, type SweepParts } from '../../../src/actors/tenant/retention-sweep.ts'
import type { FinishedRecord } from '../../../src/ports/directory.ts'
import { ActorFailed, AskFailed } from '../../../src/ports/actors.ts'
import { KeyLost } from '../../../src/ports/vault.ts'
import { testRuntime, type TestRuntime } from '../../host/parts/test-runtime.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SHARD = 0x80
const WAIT = { timeout: 10_000, interval: 5 }
const idOf = (row: number): string => `cre_80${String(row).padStart(10, '0')}`

describe('the sweep of a shard', () => {
  let runtime: TestRuntime
  let finished: FinishedRecord[]
  let sweep: RetentionSweep | null
  const erased: string[] = []
  const failures: unknown[] = []
  const looks: number[] = []
  let organisation: { status: string; retentionDays: number }
  let afterErasure: (id: string) => unknown
  beforeEach(() => {
    runtime = testRuntime()
    finished = []
    sweep = null
    organisation = { status: 'active', retentionDays: 1 }
    connection = { sequence: 3, closing: null }
    afterErasure = () => ({ status: 'done', sequence: 0 })
    for (const list of [erased, failures, looks]) list.length = 0
  })
  afterEach(() => sweep?.[Symbol.asyncDispose]())

  const connectionId = 'con_80aaaaaaaa'
  const exchange = { status: 'done', sequence: 0, connectionId, erasedAtMs: null }
  let connection: { readonly sequence: number; readonly closing: { readonly by: string } | null }
  const readAny = (id: string): unknown => {
    if (id.startsWith('ten')) return organisation
    return id.startsWith('con') ? connection : exchange
  }
  const actors = {
    read: readAny,
    ask: async (id: string, { type, by }: { type: string; by?: string }) => {
      if (type === 'ForgetDelivery') return { status: 'pending' }
      expect([type, by]).toEqual(['EraseRecord', 'retention'])
      const answer = afterErasure(id)
      erased.push(id)
      return answer
    },
  } as unknown as SweepParts['actors']

  const start = (more: Partial<SweepParts> = {}): void => {
    sweep = new RetentionSweep({
      actors,
      runtime,
      isOpen: (shard) => shard === SHARD,
      recordsPerSecond: 100_000,
      firstAfterMs: 0,
      swept: () => undefined,
      failed: (_shard, error) => failures.push(error),
      finished: {
        tenantsWithFinished: async () => {
          looks.push(runtime.now())
          return finished.length > 0 ? ['ten_00aaaaaaaa'] : []
        },
        finishedBefore: async ({ shard, beforeMs, erasedOnly, after, limit }) => {
          expect(shard).toBe(SHARD)
          const due = finished.filter(
            ({ finishedAtMs, row }) =>
              Math.abs(finishedAtMs) < beforeMs &&
              (finishedAtMs < 0 || !erasedOnly) &&
              row > (after?.row ?? 0),
          )
          return due.slice(0, limit)
        },
        swept: async (rows) => {
          finished = finished.filter(({ row }) => !rows.includes(row))
        },
      },
      ...more,
    })
  }
  const old = (count: number): readonly FinishedRecord[] =>
    Array.from({ length: count }, (_, index) => ({
      id: idOf(index + 1),
      finishedAtMs: runtime.now() - 2 * DAY_MS,
      row: index + 1,
    }))
  const untilLooked = (times: number) => vi.waitFor(() => expect(looks).toHaveLength(times), WAIT)

  it('comes once a day, at the time of the shard', async () => {
    start()
    await untilLooked(1)
    for (let hour = 0; hour < 72; hour++) {
      runtime.forward(HOUR_MS)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await untilLooked(4)
    const hours = looks.slice(1).map((ms) => Math.floor((ms % DAY_MS) / HOUR_MS))
    expect(hours).toEqual([12, 12, 12])
  })

  it('goes through any number of pages', async () => {
    finished = [...old(300)]
    start()
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    expect(new Set(erased).size).toBe(300)
  })

  it('takes only what is left of erased records where an organisation keeps the others for ever', async () => {
    organisation = { status: 'active', retentionDays: 0 }
    const [kept, gone] = old(2) as [FinishedRecord, FinishedRecord]
    finished = [kept, { ...gone, finishedAtMs: -gone.finishedAtMs }]
    start()
    await vi.waitFor(() => expect(finished).toEqual([kept]), WAIT)
    expect(erased).toEqual([gone.id])
  })

  it('passes over what fails, and what has a webhook that is still pending, until the next day', async () => {
    finished = [...old(200)]
    afterErasure = (id) => {
      if (id === idOf(1)) throw new Error('unreadable')
      return { status: 'done', sequence: id === idOf(2) ? 1 : 0 }
    }
    start()
    await vi.waitFor(() => expect(finished.map(({ row }) => row)).toEqual([1, 2]), WAIT)
    expect(failures).toHaveLength(1)
    const looked = looks.length
    afterErasure = () => ({ status: 'done', sequence: 0 })
    runtime.forward(DAY_MS)
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    expect(looks.length).toBe(looked + 1)
  })

  it('is done with a record whose key is lost when its deliveries are forgotten', async () => {
    finished = [...old(2)]
    afterErasure = () => {
      throw new KeyLost('record')
    }
    start()
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    expect(failures).toEqual([])
  })

  it('keeps a connection, and forgets what each of its webhooks said', async () => {
    finished = [{ id: connectionId, finishedAtMs: runtime.now() - 2 * DAY_MS, row: 1 }]
    const asked: string[] = []
    const ask = async (id: string, { type }: { type: string }): Promise<unknown> => {
      asked.push(`${type} ${id.slice(0, 4)}`)
      return { status: 'forgotten' }
    }
    start({ actors: { ...actors, ask } as unknown as SweepParts['actors'] })
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    expect(asked).toEqual(Array.from({ length: 3 }, () => 'ForgetDelivery whd_'))
    expect(failures).toEqual([])
  })

  it('erases the exchange of a connection that is erased as its connection does, and comes again for the webhook', async () => {
    finished = [...old(1)]
    connection = { sequence: 5, closing: { by: 'operator' } }
    let erasedAtMs: number | null = null
    const asked: object[] = []
    const read = (id: string): unknown => (id.startsWith('cre') ? { ...exchange, erasedAtMs } : readAny(id))
    const ask = async (_: string, command: { readonly atMs: number }): Promise<unknown> => {
      asked.push(command)
      erasedAtMs ??= command.atMs
      return exchange
    }
    start({ actors: { ...actors, read, ask } as unknown as SweepParts['actors'], firstAfterMs: null })
    expect(await sweep?.sweepNow()).toBe(0)
    const tenant = 'ten_00aaaaaaaa'
    expect(asked).toMatchObject([{ tenant, by: 'operator', withConnection: true }])
    expect(await sweep?.sweepNow()).toBe(1)
    expect(asked).toMatchObject([{}, { by: 'retention' }])
    expect(failures).toEqual([])
  })

  it('takes an exchange whose connection cannot be read, and leaves one whose connection is away', async () => {
    for (const [error, left] of [
      [new ActorFailed(connectionId), 0],
      [new AskFailed('unavailable', 'away', 1), 1],
    ] as const) {
      finished = [...old(1)]
      const read = (id: string): unknown => {
        if (id.startsWith('con')) throw error
        return readAny(id)
      }
      start({ actors: { ...actors, read } as unknown as SweepParts['actors'], firstAfterMs: null })
      await sweep?.sweepNow()
      expect(finished).toHaveLength(left)
      await sweep?.[Symbol.asyncDispose]()
    }
  })

  it('stops in the middle when its organisation is suspended or keeps everything from now on', async () => {
    for (const change of [{ status: 'suspended' }, { retentionDays: 0 }, { retentionDays: 3 }]) {
      finished = [...old(300)]
      erased.length = 0
      organisation = { status: 'active', retentionDays: 1 }
      afterErasure = () => {
        if (erased.length === 10) organisation = { ...organisation, ...change }
        return { status: 'done', sequence: 0 }
      }
      start()
      await vi.waitFor(() => expect(erased.length).toBeGreaterThan(10), WAIT)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(finished.length).toBeGreaterThan(200)
      await sweep?.[Symbol.asyncDispose]()
    }
  })

  it('of other organisations goes on where one cannot be read, and that one is tried again soon', async () => {
    finished = [...old(3)]
    let isReadable = false
    const reads: string[] = []
    const read = (id: string): unknown => {
      if (id === 'ten_00bbbbbbbb' && !isReadable) throw new Error('unreadable')
      return readAny(id)
    }
    start({
      actors: { ...actors, read } as unknown as SweepParts['actors'],
      finished: {
        tenantsWithFinished: async () => ['ten_00bbbbbbbb', 'ten_00aaaaaaaa'],
        finishedBefore: async ({ tenant }) => {
          reads.push(tenant)
          return tenant === 'ten_00aaaaaaaa' ? finished : []
        },
        swept: async () => {
          finished = []
        },
      },
    })
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    await vi.waitFor(() => expect(failures).toHaveLength(1), WAIT)
    isReadable = true
    runtime.forward(HOUR_MS / 2)
    await vi.waitFor(() => expect(reads).toContain('ten_00bbbbbbbb'), WAIT)
  })

  it('comes the next day also where the clock was ahead before', async () => {
    let aheadMs = 10 * DAY_MS
    start({ runtime: { ...runtime, now: () => runtime.now() + aheadMs } })
    await untilLooked(1)
    aheadMs = 0
    runtime.forward(DAY_MS)
    await untilLooked(2)
    expect(failures).toEqual([])
  })

  it('goes on where it was cut off', async () => {
    finished = [...old(300)]
    afterErasure = (id) => {
      if (id === idOf(100)) void sweep?.[Symbol.asyncDispose]()
      return { status: 'done', sequence: 0 }
    }
    start()
    await vi.waitFor(() => expect(erased).toContain(idOf(100)), WAIT)
    await sweep?.[Symbol.asyncDispose]()
    expect(finished.length).toBeGreaterThan(150)
    afterErasure = () => ({ status: 'done', sequence: 0 })
    start()
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    expect(failures).toEqual([])
  })

  it('erases no more in a second than is set', async () => {
    finished = [...old(300)]
    const startedMs = performance.now()
    start({ recordsPerSecond: 300 })
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    expect(performance.now() - startedMs).toBeGreaterThan(800)
  })

  it('spreads a page over its time', async () => {
    finished = [...old(50)]
    const times: number[] = []
    afterErasure = () => {
      times.push(performance.now())
      return { status: 'done', sequence: 0 }
    }
    start({ recordsPerSecond: 100 })
    await vi.waitFor(() => expect(finished).toEqual([]), WAIT)
    const [first = 0, last = 0] = [times[0], times.at(-1)]
    expect(last - first).toBeGreaterThan(450)
  })
})
