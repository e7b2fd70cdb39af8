import { describe, expect, it } from 'vitest'
import { type Home, Resident } from '../../src/host/resident.ts'
import { TurnQueue } from '../../src/host/run-queue.ts'
import { accountDefinition } from './parts/account.ts'
import { until } from './parts/poll.ts'

const definition = accountDefinition()

const residents = (names: readonly string[], turn: (resident: Resident) => void = () => undefined) => {
  const told: string[] = []
  const home: Home = {
    turn: (resident) => {
      told.push(resident.actor)
      turn(resident)
    },
    crashed: (resident, error) => void told.push(`${resident.actor} crashed: ${(error as Error).message}`),
    passivate: () => undefined,
  }
  const all = names.map((name) => {
    const resident = new Resident(name, definition, home)
    resident.phase = 'active'
    return resident
  })
  return { told, all }
}

describe('the queue of turns', () => {
  it('gives each that has work one turn, in order', async () => {
    const queue = new TurnQueue()
    const { told, all } = residents(['a', 'b', 'c'])
    for (const resident of [...all, ...all]) queue.wake(resident)
    await until('all had their turns', () => told.length === 3)
    expect(told).toEqual(['a', 'b', 'c'])
    queue.close()
  })

  it('gives none to one that is not ready', async () => {
    const queue = new TurnQueue()
    const { told, all } = residents(['a', 'b'])
    const [first] = all
    if (first !== undefined) first.phase = 'loading'
    for (const resident of all) queue.wake(resident)
    await until('the other had its turn', () => told.length === 1)
    expect(told).toEqual(['b'])
    queue.close()
  })

  it('goes on with the others after one that throws, and names the one', async () => {
    const queue = new TurnQueue()
    const { told, all } = residents(['a', 'b', 'c'], ({ actor }) => {
      if (actor === 'b') throw new Error('bug')
    })
    for (const resident of all) queue.wake(resident)
    await until('all had their turns', () => told.length === 4)
    expect(told).toEqual(['a', 'b', 'b crashed: bug', 'c'])
    queue.close()
  })

  it('lets the event loop go round between many turns', async () => {
    const queue = new TurnQueue()
    const { told, all } = residents(Array.from({ length: 1_200 }, (_, index) => `a${index}`))
    for (const resident of all) queue.wake(resident)
    const seen: number[] = []
    await until('all had their turns', () => {
      if (seen.at(-1) !== told.length) seen.push(told.length)
      return told.length === 1_200
    })
    expect(seen.length).toBeGreaterThanOrEqual(3)
    queue.close()
  })
})
