import { describe, expect, it } from 'vitest'
import { described, type Disturbance, planOf } from '../../../../tools/campaign/cluster/plan.ts'
import { unexplained } from '../../../../tools/campaign/cluster/requests.ts'
import { Random } from '../../../../tools/simulate/random.ts'

const counts = {
  nodes: 3,
  servers: 3,
  kills: 20,
  stops: 10,
  cuts: 10,
  'cassandra-kills': 3,
  'broker-kills': 2,
  rolling: true,
  'stop-seconds': 30,
}
const everything = (seed: number): Disturbance[] =>
  planOf(new Random(seed), counts).flatMap(({ first, beside }) =>
    beside === null ? [first] : [first, beside],
  )

describe('a plan of disturbances', () => {
  it('has each of them as often as it was asked for, the rolling restart at the end', () => {
    const all = everything(7)
    const times = (is: Disturbance['is']): number => all.filter((each) => each.is === is).length
    expect(times('kill')).toBe(20)
    expect(times('stop')).toBe(10)
    expect(times('cut')).toBe(10)
    expect(times('cassandra')).toBe(3)
    expect(times('broker')).toBe(2)
    expect(all.at(-1)).toEqual({ is: 'rolling' })
  })

  it('is the same for the same seed, and another for another', () => {
    expect(everything(7)).toEqual(everything(7))
    expect(everything(7)).not.toEqual(everything(8))
  })

  it('cuts in one direction and in both, never a node from itself', () => {
    const cuts = everything(9).filter((each) => each.is === 'cut')
    expect(new Set(cuts.map(({ cut }) => cut.way))).toEqual(new Set(['one', 'both']))
    expect(cuts.filter(({ one, other }) => one === other)).toEqual([])
    expect(cuts.every(({ one, other }) => [one, other].every((node) => node >= 1 && node <= 3))).toBe(true)
  })

  it('disturbs stores alone where there is no node to disturb', () => {
    const none = { ...counts, kills: 0, stops: 0, cuts: 0 }
    const plan = planOf(new Random(1), none)
    const stores = ['broker', 'broker', 'cassandra', 'cassandra', 'cassandra']
    expect(plan.map(({ first }) => first.is).toSorted()).toEqual([...stores, 'rolling'])
    expect(plan.map(({ first }) => described(first)).join()).toContain('SIGKILL of the broker')
  })
})

describe('a request that was not answered', () => {
  const lost = { what: 'GET /', status: 'no answer', fromMs: 100_000, toMs: 115_000 } as const

  it('is nobody’s fault only while a node was killed or frozen', () => {
    expect(unexplained([lost], [{ fromMs: 110_000, toMs: 140_000 }])).toEqual([])
    expect(unexplained([lost], [{ fromMs: 120_000, toMs: 140_000 }])).toEqual([lost])
    expect(unexplained([lost], [])).toEqual([lost])
  })
})
