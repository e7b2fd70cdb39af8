import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { freshKeyspace } from '../contract/journal/parts/cassandra-keyspace.ts'
import { MapNodes, show, spreadOf } from './parts/map-nodes.ts'

const STEP_LIMIT_MS = 300_000
const LIMIT_MS = 15 * 60_000
/** What a busy machine may take; how long a pause is on a quiet one, the benchmark says. */
const PAUSE_LIMIT_MS = 30_000
/** Nothing moves for so long when a step is over. */
const STILL_MS = 5_000
const EVENTS_PER_SECOND = 256
const MOST = 1.3
/** A shard may be given to a node that says a moment later that it stops, too. */
const MORE_MAX = 0.1

type Taken = {
  readonly moves: number
  readonly least: number
  readonly pauses: string
  readonly longestMs: number
}

/** So many shards have to change their node, were they shared out exactly. */
const least = (before: number, after: number): number => Math.ceil((SHARD_COUNT * (after - before)) / after)

describe('nodes that come and go under load, on a real Cassandra', () => {
  let nodes: MapNodes
  const living: string[] = []
  const taken: Record<string, Taken> = {}
  const movesSoFar = async (): Promise<number> => (await nodes.at('n1').call('moves')).value
  const withLoad = async (perSecond: readonly number[]): Promise<void> => {
    await Promise.all(living.map((name) => nodes.at(name).call('load', perSecond)))
  }
  const flat = Array.from({ length: SHARD_COUNT }, () => EVENTS_PER_SECOND / SHARD_COUNT)
  /** The part of the node that has most, by what each shard is asked for: 1 is the mean. */
  const mostOf = async (perSecond: readonly number[]): Promise<number> => {
    const shares = await Promise.all(
      living.map(async (name) =>
        (await nodes.shardsOf(name, 'n1')).reduce((sum, shard) => sum + (perSecond[shard] ?? 0), 0),
      ),
    )
    return (Math.max(...shares) * living.length) / perSecond.reduce((sum, each) => sum + each)
  }
  const untilStill = async (): Promise<void> => {
    for (let before = -1, now = await movesSoFar(); before !== now; ) {
      await pause(STILL_MS)
      ;[before, now] = [now, await movesSoFar()]
    }
  }
  const step = async (name: string, leastMoves: number, change: () => Promise<void>): Promise<void> => {
    nodes.answers.pauses()
    const before = await movesSoFar()
    await change()
    const areEven = () => nodes.areEven('n1', living)
    await expect.poll(areEven, { timeout: STEP_LIMIT_MS, interval: 200 }).toBe(true)
    await untilStill()
    const moves = (await movesSoFar()) - before
    const pauses = nodes.answers.pauses()
    taken[name] = { moves, least: leastMoves, pauses: spreadOf(pauses, moves), longestMs: pauses.at(-1) ?? 0 }
  }
  const join = async (...names: readonly string[]): Promise<void> => {
    await nodes.start(...names)
    living.push(...names)
    await Promise.all(names.map((name) => nodes.at(name).call('load', flat)))
  }
  const leave = async (...names: readonly string[]): Promise<void> => {
    living.splice(0, living.length, ...living.filter((name) => !names.includes(name)))
    await Promise.all(names.map((name) => nodes.stop(name)))
  }
  const countOf = async (...names: readonly string[]): Promise<number> =>
    (await Promise.all(names.map((name) => nodes.shardsOf(name, 'n1')))).flat().length

  beforeAll(async () => {
    nodes = new MapNodes({ ...(await freshKeyspace()), requestTimeoutMs: 5_000 })
    await join('n1')
  }, LIMIT_MS)
  afterAll(() => nodes?.[Symbol.asyncDispose]())

  it('move no more shards than they must, from 1 to 3 to 5 and back', { timeout: LIMIT_MS }, async () => {
    await expect.poll(() => nodes.areEven('n1', ['n1']), { timeout: STEP_LIMIT_MS }).toBe(true)
    await expect.poll(() => nodes.answers.lastMs.size, { timeout: STEP_LIMIT_MS }).toBe(SHARD_COUNT)
    await step('1 to 3', least(1, 3), () => join('n2', 'n3'))
    await step('3 to 5', least(3, 5), () => join('n4', 'n5'))
    await step('5 to 3', await countOf('n4', 'n5'), () => leave('n4', 'n5'))
    await step('3 to 1', await countOf('n2', 'n3'), () => leave('n2', 'n3'))
    show('moves taken, the least possible, and pauses:', taken)
    for (const [name, { moves, least: leastMoves, longestMs }] of Object.entries(taken)) {
      expect(moves, name).toBeLessThanOrEqual(leastMoves * (1 + MORE_MAX))
      expect(longestMs, name).toBeLessThan(PAUSE_LIMIT_MS)
    }
  })

  it('end with the half of all traffic that one organisation has spread', { timeout: LIMIT_MS }, async () => {
    await join('n2', 'n3')
    await expect.poll(() => nodes.areEven('n1', living), { timeout: STEP_LIMIT_MS, interval: 200 }).toBe(true)
    await untilStill()
    // All of it is on one node at first.
    const hot = new Set((await nodes.shardsOf('n2', 'n1')).slice(0, 6))
    const perSecond = flat.map((rate, shard) =>
      hot.has(shard) ? EVENTS_PER_SECOND / 2 / hot.size : (rate * SHARD_COUNT) / 2 / (SHARD_COUNT - hot.size),
    )
    const [before, beganMs] = [await movesSoFar(), performance.now()]
    const most = [await mostOf(perSecond)]
    expect(most[0]).toBeGreaterThan(MOST)
    await withLoad(perSecond)
    await expect
      .poll(() => mostOf(perSecond), { timeout: STEP_LIMIT_MS, interval: 1_000 })
      .toBeLessThanOrEqual(MOST)
    const tookS = Math.round((performance.now() - beganMs) / 1_000)
    await untilStill()
    most.push(await mostOf(perSecond))
    show(
      'the node with most had, before and after:',
      most,
      `${(await movesSoFar()) - before} moves`,
      `${tookS} s`,
    )
    expect(most[1]).toBeLessThanOrEqual(MOST)
  })
})
