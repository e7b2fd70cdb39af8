import { describe, expect, it } from 'vitest'
import { LeaseClock } from '../../src/cluster/lease-clock.ts'
import { NodeSession, ownerName, parseOwner } from '../../src/cluster/lease-session.ts'
import { Random } from '../../tools/simulate/random.ts'
import { SimulatedProcess } from '../../tools/simulate/simulated-process.ts'
import { World } from '../../tools/simulate/world.ts'

const begin = () => {
  const world = new World(new Random(1), false)
  const clocks = { wallOffsetMs: 0, monotonicRate: 1 }
  const { runtime } = new SimulatedProcess(world, 'n1.1', clocks, 0, () => {})
  return { world, session: new NodeSession(new LeaseClock(runtime), 'n1~a') }
}

describe('a session', () => {
  it('is valid for a while from the start of its last renewal, however long that took', () => {
    const { world, session } = begin()
    expect(session.valid()).toBe(false)
    world.nowMs = 3_000
    session.renewed(1_000, 7_000)
    expect(session.valid()).toBe(true)
    world.nowMs = 7_999
    expect(session.valid()).toBe(true)
    world.nowMs = 8_000
    expect(session.valid()).toBe(false)
  })

  it('is not shortened by a renewal that began earlier', () => {
    const { world, session } = begin()
    session.renewed(5_000, 7_000)
    session.renewed(1_000, 7_000)
    world.nowMs = 11_000
    expect(session.valid()).toBe(true)
  })

  it('is over for good when it ended', () => {
    const { session } = begin()
    session.renewed(0, 7_000)
    session.end()
    session.renewed(0, 7_000)
    expect(session.valid()).toBe(false)
    expect(session.ended.aborted).toBe(true)
  })
})

describe('the name of an owner', () => {
  it.each(['n1', 'a~b', 'rack/7'])('gives back node %s and incarnation', (node) => {
    expect(parseOwner(ownerName(node, 'u9'))).toEqual({ node, incarnation: 'u9' })
  })

  it('of nobody has no node', () => {
    expect(parseOwner('').node).toBe('')
  })
})
