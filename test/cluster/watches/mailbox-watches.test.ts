import { describe, expect, it } from 'vitest'
import type { WatchSettings } from '../../../src/cluster/watches/settings.ts'
import type { LinkFaults } from '../../../tools/simulate/facts-link.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { CALM, NODES, WatchWorld } from '../../../tools/simulate/watches/watch-world.ts'
import { World } from '../../../tools/simulate/world.ts'

const [N1, N2, N3] = NODES

class TestedWatches extends WatchWorld {
  constructor(seed: number, faults?: LinkFaults, settings?: Partial<WatchSettings>) {
    super(new World(new Random(seed), false), faults, settings)
  }

  /** What the test itself has just answered comes first. */
  override async run(untilMs: number): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve))
    await super.run(untilMs)
  }
}

const mailboxAt = (world: WatchWorld, owner: string): string => {
  const mailbox = world.mailboxes.find((each) => world.ownerOf(each) === owner)
  if (mailbox === undefined) throw new Error(`nothing of ${owner}`)
  return mailbox
}

describe('a mailbox that is watched', () => {
  it.each([
    ['its owner', N1],
    ['another node', N2],
  ])('is heard of at %s, whichever node took the message', async (_, holder) => {
    const world = new TestedWatches(1)
    const mailbox = mailboxAt(world, N1)
    const session = world.open(holder, mailbox)
    await world.run(1_000)
    const taken: boolean[] = []
    for (const [index, from] of NODES.entries()) {
      world.post(from, mailbox, (isTaken) => void taken.push(isTaken))
      await world.run(2_000 + index * 1_000)
      expect(session.seen).toBe(index + 1)
    }
    expect(taken).toEqual([true, true, true])
  })

  it('is asked about nothing where nobody watches it, and whoever announces hears that at once', async () => {
    const world = new TestedWatches(2)
    const mailbox = mailboxAt(world, N1)
    const taken: [string, boolean, number][] = []
    for (const from of [N1, N3])
      world.post(from, mailbox, (isTaken) => void taken.push([from, isTaken, world.world.nowMs]))
    await world.run(1_000)
    expect(taken.map(([from, isTaken]) => [from, isTaken])).toEqual([
      [N1, false],
      [N3, false],
    ])
    for (const [, , atMs] of taken) expect(atMs).toBeLessThan(100)
  })

  it('is heard of no more once the watch has ended', async () => {
    const world = new TestedWatches(3)
    const mailbox = mailboxAt(world, N1)
    const [ended, stays] = [world.open(N2, mailbox), world.open(N2, mailbox)]
    await world.run(1_000)
    world.close(ended)
    const told = [ended.told, stays.told]
    world.post(N3, mailbox)
    await world.run(2_000)
    expect([ended.told, stays.told, stays.seen]).toEqual([told[0], (told[1] ?? 0) + 1, 1])
    world.close(stays)
    const taken: boolean[] = []
    world.post(N3, mailbox, (isTaken) => void taken.push(isTaken))
    await world.run(4_000)
    expect([taken, stays.told]).toEqual([[false], (told[1] ?? 0) + 1])
    expect(world.watchesAt(N1).size().noted).toBe(0)
  })

  it('is taken where one of several sessions has taken it', async () => {
    const world = new TestedWatches(4)
    const mailbox = mailboxAt(world, N1)
    const watches = world.watchesAt(N2)
    await Promise.all([
      watches.watch(mailbox, () => Promise.reject(new Error('a session that fails'))),
      watches.watch(mailbox, () => false),
      world.run(1_000),
    ])
    world.open(N3, mailbox)
    await world.run(2_000)
    const taken: boolean[] = []
    world.post(N1, mailbox, (isTaken) => void taken.push(isTaken))
    await world.run(3_000)
    expect(taken).toEqual([true])
  })

  it('is not taken by a session that does not say so in time', async () => {
    const world = new TestedWatches(5)
    const mailbox = mailboxAt(world, N1)
    const watching = [world.watchesAt(N2), world.watchesAt(N1)].map((watches) =>
      watches.watch(mailbox, () => new Promise(() => undefined)),
    )
    await Promise.all([...watching, world.run(1_000)])
    const taken: [boolean, number][] = []
    for (const from of [N1, N3])
      world.post(from, mailbox, (isTaken) => void taken.push([isTaken, world.world.nowMs]))
    await world.run(20_000)
    expect(taken.map(([isTaken]) => isTaken)).toEqual([false, false])
    for (const [, atMs] of taken) expect(atMs).toBeLessThan(9_000)
  })

  it('is told a few times at once, and what is announced beyond that together', async () => {
    const world = new TestedWatches(6)
    const mailbox = mailboxAt(world, N1)
    let told = 0
    const answers: ((isTaken: boolean) => void)[] = []
    const watching = world.watchesAt(N2).watch(mailbox, () => {
      told += 1
      return new Promise((resolve) => void answers.push(resolve))
    })
    await Promise.all([watching, world.run(1_000)])
    const taken: boolean[] = []
    for (let each = 0; each < 500; each++) world.post(N1, mailbox, (isTaken) => void taken.push(isTaken))
    await world.run(2_000)
    expect(told).toBe(8)
    for (const answer of answers.splice(0)) answer(true)
    await world.run(3_000)
    for (const answer of answers.splice(0)) answer(true)
    await world.run(4_000)
    expect([told, taken.length, taken.every(Boolean)]).toEqual([9, 500, true])
  })
})

describe('a watch, when its mailbox is elsewhere than before', () => {
  it('goes to the new owner, and hears what came while the shard moved', async () => {
    const world = new TestedWatches(10)
    const mailbox = mailboxAt(world, N1)
    const session = world.open(N2, mailbox)
    await world.run(1_000)
    world.move(0, N3)
    world.post(N2, mailbox)
    await world.run(4_000)
    expect(session.seen).toBe(1)
    world.post(N1, mailbox)
    await world.run(6_000)
    expect(session.seen).toBe(2)
  })

  it('hears what was announced elsewhere also where the shard has come back before anybody noticed', async () => {
    const world = new TestedWatches(11)
    const mailbox = mailboxAt(world, N1)
    const session = world.open(N2, mailbox)
    await world.run(1_000)
    world.mapLagMs = 0
    world.network.cut(N2, N3, 3_000)
    world.network.cut(N2, N1, 3_000)
    world.move(0, N3, 1)
    await world.run(1_500)
    world.post(N3, mailbox)
    await world.run(1_600)
    world.move(0, N1, 1)
    await world.run(30_000)
    expect(session.seen).toBe(1)
  })

  it('is known again to an owner that died and came back', async () => {
    const world = new TestedWatches(12)
    const mailbox = mailboxAt(world, N1)
    const session = world.open(N2, mailbox)
    await world.run(1_000)
    world.crash(N1)
    world.post(N3, mailbox)
    await world.run(20_000)
    expect(session.seen).toBe(1)
    world.move(0, N1)
    world.post(N3, mailbox)
    await world.run(40_000)
    expect(session.seen).toBe(2)
  })

  it('that could not be said at first is said as soon as it can', async () => {
    const world = new TestedWatches(13)
    const mailbox = mailboxAt(world, N1)
    world.network.cut(N2, N1, 5_000)
    const session = world.open(N2, mailbox)
    await world.run(2_500)
    expect(session.watching).not.toBeNull()
    world.post(N1, mailbox)
    await world.run(9_000)
    expect(session.seen).toBe(1)
    expect(world.watchesAt(N2).size().due).toBe(0)
  })

  it('that its owner could not tell hears of it when it is said again', async () => {
    const world = new TestedWatches(14)
    const mailbox = mailboxAt(world, N1)
    const session = world.open(N2, mailbox)
    await world.run(1_000)
    world.network.cut(N1, N2, 8_000)
    const taken: boolean[] = []
    world.post(N1, mailbox, (isTaken) => void taken.push(isTaken))
    await world.run(25_000)
    expect([session.seen, taken]).toEqual([1, [false]])
  })
})

describe('what an owner remembers of watches', () => {
  it('is over when the node that watched is gone', async () => {
    const world = new TestedWatches(20)
    const mailbox = mailboxAt(world, N1)
    world.open(N2, mailbox)
    await world.run(25_000)
    expect(world.watchesAt(N1).size().noted).toBe(1)
    world.crash(N2)
    await world.run(60_000)
    world.open(N3, mailbox)
    await world.run(61_000)
    expect(world.watchesAt(N1).size().noted).toBe(1)
  })

  it('is bounded; a watch that finds no room looks again each time that it asks', async () => {
    const world = new TestedWatches(21, CALM, { watchesOfOneMax: 1 })
    const [first = '', second = ''] = world.mailboxes.filter((each) => world.ownerOf(each) === N1)
    const sessions = [world.open(N2, first)]
    await world.run(500)
    sessions.push(world.open(N2, second))
    await world.run(1_000)
    expect(world.watchesAt(N1).size().noted).toBe(1)
    for (const mailbox of [first, second]) world.post(N3, mailbox)
    await world.run(2_000)
    expect(sessions.map(({ seen }) => seen)).toEqual([1, 0])
    await world.run(15_000)
    expect(sessions.map(({ seen }) => seen)).toEqual([1, 1])
  })
})
