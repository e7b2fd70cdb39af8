import { expect, it } from 'vitest'
import type { CopiesElsewhere } from '../../../src/ports/hot-facts.ts'
import { accountDefinition, alice, bob, deposit, read } from '../parts/account.ts'
import { hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'

const open = hostsOfThisFile()

/** Copies of one account that are given back when the test says so. */
const copiesOf = (copied: string) => {
  const noted: string[] = []
  const given = Promise.withResolvers<void>()
  let isChanged = false
  const copies: CopiesElsewhere = {
    opened: (shard, epoch) => void noted.push(`opened ${shard} ${epoch}`),
    closed: (shard, epoch) => void noted.push(`closed ${shard} ${epoch}`),
    changed: (actor) => {
      noted.push(`changed ${actor}`)
      isChanged ||= actor === copied
    },
    settled: (actor) => (actor === copied && isChanged ? given.promise : null),
  }
  return { copies, noted, giveBack: () => given.resolve() }
}

const isThere = (answer: Promise<unknown>): Promise<boolean> =>
  Promise.race([answer.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, 40, false))])

const copied = () => [{ ...accountDefinition(), isCopied: true }]

it('a change is answered when nobody has a copy of what was before, and so is its repetition', async () => {
  const { copies, giveBack } = copiesOf(alice)
  const { ask } = await open(new MemoryJournal(), { definitions: copied(), copies })
  const first = ask(alice, deposit(1), 'once')
  expect(await isThere(first)).toBe(false)
  const again = ask(alice, deposit(1), 'once')
  expect(await isThere(again)).toBe(false)
  giveBack()
  expect(await first).toEqual({ is: 'done', balance: 1 })
  expect(await again).toEqual({ is: 'done', balance: 1 })
})

it('reads and other records do not wait meanwhile', async () => {
  const { copies, giveBack } = copiesOf(alice)
  const { ask, host } = await open(new MemoryJournal(), { definitions: copied(), copies })
  const change = ask(alice, deposit(1))
  expect(await isThere(change)).toBe(false)
  expect(await host.read(alice as never)).toEqual({ is: 'done', balance: 1 })
  expect(await ask(bob, deposit(2))).toEqual({ is: 'done', balance: 2 })
  giveBack()
  await change
})

it('a kind that is not copied waits for nobody, and tells nobody', async () => {
  const { copies, noted } = copiesOf(alice)
  const { ask } = await open(new MemoryJournal(), { copies })
  expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: 1 })
  expect(await ask(alice, read)).toEqual({ is: 'done', balance: 1 })
  expect(noted.filter((each) => each.startsWith('changed'))).toEqual([])
})

it('copies hear of a change before it is answered, and of the shard before and behind all', async () => {
  const { copies, noted } = copiesOf('')
  const { ask, host } = await open(new MemoryJournal(), { definitions: copied(), copies })
  await ask(alice, deposit(1))
  await host.close(0)
  const [opened, changed, closed] = noted
  expect([opened, changed, closed]).toEqual([
    expect.stringMatching(/^opened 0 \d+$/),
    `changed ${alice}`,
    opened?.replace('opened', 'closed'),
  ])
})

it('a shard is handed on without the answers that wait, and these still leave when they may', async () => {
  const { copies, giveBack } = copiesOf(alice)
  const limits = { drainMs: 60_000, actorQueueMax: 1 }
  const { ask, host } = await open(new MemoryJournal(), { definitions: copied(), copies, limits })
  const first = ask(alice, deposit(1))
  expect(await isThere(first)).toBe(false)
  const second = ask(alice, deposit(1))
  expect(await isThere(second)).toBe(false)
  await host.close(0)
  expect(await isThere(Promise.race([first, second]))).toBe(false)
  giveBack()
  expect(await first).toEqual({ is: 'done', balance: 1 })
  expect(await second).toEqual({ is: 'done', balance: 2 })
})
