import { describe, expect, it } from 'vitest'
import { alice, deposit, read } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'

const open = hostsOfThisFile()
const many = Array.from({ length: 1_200 }, (_, index) => `acc_00aaaa${String(index).padStart(4, '0')}`)

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
