import { describe, expect, it } from 'vitest'
import { type AccountCommand, alice, bob } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'

const open = hostsOfThisFile()

describe('the turn of an actor', () => {
  it('takes commands in the order in which they came, also more than fit into one turn', async () => {
    const { ask } = await open(new MemoryJournal())
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => ask(alice, { type: 'Deposit', amount: 1 } satisfies AccountCommand)),
    )
    expect(replies.map(({ balance }) => balance)).toEqual(replies.map((_, index) => index + 1))
  })

  it('leaves room for its neighbours', async () => {
    const { ask } = await open(new MemoryJournal())
    await Promise.all([ask(alice, { type: 'Deposit', amount: 1 }), ask(bob, { type: 'Deposit', amount: 1 })])
    const order: string[] = []
    await Promise.all([
      ...Array.from({ length: 200 }, () => ask(alice, { type: 'Read' }).then(() => order.push('alice'))),
      ask(bob, { type: 'Read' }).then(() => order.push('bob')),
    ])
    expect(order.indexOf('bob')).toBeLessThan(199)
  })

  it('skips what was given up meanwhile, without any effect', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal, { timeoutMs: 50 })
    const blocked = Promise.withResolvers<void>()
    journal.load = () => blocked.promise
    const late = codeOf(ask(alice, { type: 'Deposit', amount: 1 }))
    expect(await late).toBe('unavailable')
    journal.load = null
    blocked.resolve()
    expect(await ask(alice, { type: 'Read' })).toEqual({ is: 'done', balance: 0 })
    expect(journal.eventsOf(alice)).toEqual([])
  })
})
