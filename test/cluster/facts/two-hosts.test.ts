import { expect, it } from 'vitest'
import { connectHotFacts } from '../../../src/cluster/facts/hot-facts.ts'
import { readingCopies } from '../../../src/cluster/facts/read-copies.ts'
import { factDefaults } from '../../../src/cluster/facts/settings.ts'
import type { Actors } from '../../../src/ports/actors.ts'
import { accountDefinition, alice, deposit } from '../../host/parts/account.ts'
import { hostsOfThisFile } from '../../host/parts/hosts.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import type { TestHost } from '../../host/parts/open-host.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const open = hostsOfThisFile()

/** Two hosts over one journal, of which the first serves the shard: put together as a node puts them. */
const twoHosts = async () => {
  const runtime = testRuntime()
  const linked = new LinkedNodes()
  const journal = new MemoryJournal()
  const node = async (name: string, shards: readonly number[]) => {
    let actors: Actors | null = null
    const facts = connectHotFacts(
      {
        node: name,
        link: linked.of(name),
        map: { ownerOf: () => 'one', current: () => linked.map, refreshed: async () => linked.map },
        runtime,
        readHere: ({ actor, view }) => actors?.read(actor as never, { view: view as never }),
        isCopied: () => true,
      },
      factDefaults,
    )
    const definitions = [{ ...accountDefinition(), isCopied: true }]
    const test: TestHost = await open(journal, { runtime, definitions, shards, copies: facts.elsewhere })
    actors = test.host
    const { host } = test
    const reads = {
      copies: facts.copies,
      isOpen: (shard: number) => host.isOpen(shard),
      isCopied: () => true,
    }
    return { ...test, facts, actors: readingCopies(host, reads) }
  }
  return { runtime, linked, one: await node('one', [0]), other: await node('other', []) }
}

it('no node shows what was before an answered change', async () => {
  const { one, other } = await twoHosts()
  for (let balance = 1; balance <= 50; balance++) {
    await one.ask(alice, deposit(1))
    const shown = await Promise.all([other.actors.read(alice as never), one.actors.read(alice as never)])
    expect(shown).toEqual([
      { is: 'done', balance },
      { is: 'done', balance },
    ])
  }
})

it('a change during a cut in one direction is committed at once, and answered when the copy is over', async () => {
  const { one, other, linked, runtime } = await twoHosts()
  await one.ask(alice, deposit(1))
  expect(await other.actors.read(alice as never)).toEqual({ is: 'done', balance: 1 })
  linked.cut('one', 'other')
  let isAnswered = false
  const change = one.ask(alice, deposit(1), 'once').finally(() => {
    isAnswered = true
  })
  await expect.poll(() => one.actors.read(alice as never)).toEqual({ is: 'done', balance: 2 })
  expect(isAnswered).toBe(false)
  // The other node cannot know, and its copy is good for as long as nobody was told of the change.
  expect(other.actors.read(alice as never)).toEqual({ is: 'done', balance: 1 })
  runtime.forward(4_001)
  await expect(Promise.resolve(other.actors.read(alice as never))).rejects.toMatchObject({
    code: 'unavailable',
  })
  runtime.forward(500)
  expect(await change).toEqual({ is: 'done', balance: 2 })
  linked.mend()
  expect(await other.actors.read(alice as never)).toEqual({ is: 'done', balance: 2 })
})
