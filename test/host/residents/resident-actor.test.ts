import { describe, expect, it } from 'vitest'
import { ActorSystem, HostedActor } from '../../../src/host/residents/resident-actor.ts'
import { alice, deposit, read } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'

const open = hostsOfThisFile()
const many = Array.from({ length: 1_200 }, (_, index) => `acc_00aaaa${String(index).padStart(4, '0')}`)

class Counted extends HostedActor {
  readonly actor: string
  phase = 'active'
  runs = 0
  crashes = 0

  constructor(actor: string) {
    super()
    this.actor = actor
  }

  run(): void {
    this.runs++
    if (this.actor === 'broken') throw new Error('a bug')
  }

  crashed(): void {
    this.crashes++
  }
}

const countedRuns = (residents: readonly Counted[]): number =>
  residents.reduce((sum, { runs }) => sum + runs, 0)

describe('an actor of nact', () => {
  it('has one resident after the other, and as many are kept as had turns at once', async () => {
    const system = new ActorSystem()
    const [one, other] = [system.supervisor(0), system.supervisor(1)]
    const residents = many.map((name) => new Counted(name))
    for (const resident of residents) one.start(resident)
    for (const resident of residents.slice(0, 10)) {
      const { runs } = resident
      one.wake(resident)
      await until('it ran', () => resident.runs > runs)
    }
    expect(system.free).toBe(1)
    for (const resident of residents.slice(0, 300)) one.wake(resident)
    await until('all ran', () => countedRuns(residents) === 310)
    for (const resident of residents.slice(300, 600)) one.wake(resident)
    await until('all ran', () => countedRuns(residents) === 610)
    expect(system.free).toBe(300)
    const elsewhere = new Counted('elsewhere')
    other.start(elsewhere)
    other.wake(elsewhere)
    await until('it ran', () => elsewhere.runs === 1)
    expect(system.free).toBe(301)
    one.close()
    expect(system.free).toBe(1)
    system.close()
  })

  it('is not used again after a crash, and runs nothing that was stopped meanwhile', async () => {
    const system = new ActorSystem()
    const supervisor = system.supervisor(0)
    const [broken, stopped, fine] = ['broken', 'stopped', 'fine'].map((name) => new Counted(name))
    if (broken === undefined || stopped === undefined || fine === undefined) throw new Error('three')
    for (const resident of [broken, stopped, fine]) {
      supervisor.start(resident)
      supervisor.wake(resident)
    }
    supervisor.stop(stopped)
    await until('all had their turns', () => broken.crashes === 1 && fine.runs === 1)
    expect([stopped.runs, system.free]).toEqual([0, 2])
    supervisor.wake(broken)
    await until('it ran again', () => broken.crashes === 2)
    expect(system.free).toBe(1)
    system.close()
  })
})

describe('the actor of a resident', () => {
  it('has a successor at once when it crashes, for askers who ask again in the same moment', async () => {
    const { ask } = await open(new MemoryJournal())
    for (let round = 0; round < 20; round++) {
      const again = ask(alice, { type: 'Crash' }).catch(() => ask(alice, deposit(1)))
      expect(await again).toMatchObject({ balance: round + 1 })
      const unknown = `acc_00unknown${round}`
      expect(await codeOf(ask(unknown, { type: 'Crash' }).catch(() => ask(unknown, read)))).toBe('answered')
    }
  })

  it('stops with its shard, which can be opened again under the same name', async () => {
    const { ask, host } = await open(new MemoryJournal())
    for (let opening = 1; opening <= 3; opening++) {
      expect(await ask(alice, deposit(1))).toMatchObject({ balance: opening })
      const late = codeOf(ask(alice, read))
      await host.close(0)
      expect(await late).toBe('answered')
      await host.open(0)
    }
  })
})

describe('many actors with commands', () => {
  it('let the event loop go round between them', async () => {
    const { ask } = await open(new MemoryJournal())
    await Promise.all(many.map((actor) => ask(actor, deposit(1))))
    let answered = 0
    const seen: number[] = []
    const all = Promise.all(many.map((actor) => ask(actor, read).then(() => answered++)))
    await until('all had their turns', () => {
      if (seen.at(-1) !== answered) seen.push(answered)
      return answered === many.length
    })
    await all
    expect(seen.length).toBeGreaterThanOrEqual(3)
  })

  it('all have their turns, also when most of those that were held back are gone by then', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal, { shards: [0, 1] })
    const bob = 'acc_01bbbbbbbb'
    await Promise.all([...many, bob].map((actor) => ask(actor, deposit(1))))
    // Those that are stopped first were asked last, so they are the ones that are held back.
    const lost = many.toReversed().map((actor) => codeOf(ask(actor, read)))
    const last = ask(bob, read)
    journal.opened.get(0)?.lose('fenced')
    expect(new Set(await Promise.all(lost))).toEqual(new Set(['not_owner']))
    expect(await last).toMatchObject({ balance: 1 })
    expect(host.status().residents).toBe(1)
  })
})
