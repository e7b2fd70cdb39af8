import { afterAll, expect, it } from 'vitest'
import { connectHotFacts } from '../../../src/cluster/facts/hot-facts.ts'
import { readingCopies } from '../../../src/cluster/facts/read-copies.ts'
import { factDefaults } from '../../../src/cluster/facts/settings.ts'
import { ClusterRates } from '../../../src/cluster/rates/cluster-rates.ts'
import { rateDefaults } from '../../../src/cluster/rates/settings.ts'
import { shardDigits } from '../../../src/domain/references.ts'
import { openEngine } from '../../../src/persistence/open-engine.ts'
import { openJournal } from '../../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../../src/persistence/shard-log-settings.ts'
import type { Actors } from '../../../src/ports/actors.ts'
import type { CopiesElsewhere } from '../../../src/ports/hot-facts.ts'
import type { Ownership } from '../../../src/ports/journal.ts'
import { LocalRateWindows } from '../../../src/timing/rate-windows.ts'
import { accountDefinition, alice, deposit } from '../../host/parts/account.ts'
import { openHost } from '../../host/parts/open-host.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { removeTemporaryFolders, temporaryFolder } from '../../temporary-folder.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const runtime = testRuntime()
/** No lease ends by itself, however busy the machine is. */
const timeless = { ...runtime, now: () => 1_000_000, monotonicMs: () => 1_000 }
const linked = new LinkedNodes()
const engine = await openEngine({ engine: 'sqlite', dataFolder: temporaryFolder('released') })
const owner = { name: 'one' }
const minute = { max: 300, windowMs: 60_000 }
const ends: (() => PromiseLike<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await engine[Symbol.asyncDispose]()
  removeTemporaryFolders()
})

const leaseOf = (name: string): Ownership => {
  const session = { owner: name, valid: () => true, ended: new AbortController().signal }
  return { session: () => session, isGone: () => Promise.resolve(false) }
}

/** A node with its own view of one real log, as it is put together in a cluster. */
const node = async (name: string, shards: readonly number[]) => {
  const link = linked.of(name)
  const map = { ownerOf: () => owner.name, current: () => linked.map, refreshed: async () => linked.map }
  let actors: Actors | null = null
  const facts = connectHotFacts(
    {
      node: name,
      link,
      map,
      runtime: timeless,
      readHere: ({ actor, view }) => actors?.read(actor as never, { view: view as never }),
      isCopied: () => true,
    },
    factDefaults,
  )
  const windows = new LocalRateWindows(() => runtime.monotonicMs(), 10_000)
  const serves = (): boolean => owner.name === name
  const rates = new ClusterRates({ node: name, link, map, runtime, serves }, rateDefaults, windows)
  const copies: CopiesElsewhere = {
    changed: (actor) => facts.elsewhere.changed(actor),
    settled: (actor) => facts.elsewhere.settled(actor),
    opened: (shard, epoch) => {
      facts.elsewhere.opened(shard, epoch)
      rates.opened(shard, epoch)
    },
    closed: (shard, epoch, lastEpoch) => {
      facts.elsewhere.closed(shard, epoch, lastEpoch)
      rates.closed(shard, epoch, lastEpoch)
    },
  }
  const journal = openJournal(engine.store, runtime, shardLogDefaults, leaseOf(name))
  const definitions = [{ ...accountDefinition(), isCopied: true }]
  const { host, ask } = await openHost(journal, { runtime, definitions, shards, copies })
  actors = host
  ends.push(
    () => journal[Symbol.asyncDispose](),
    () => host[Symbol.asyncDispose](),
    async () => facts.stop(),
    async () => rates.stop(),
  )
  const isOpen = (shard: number) => host.isOpen(shard)
  return {
    host,
    ask,
    facts,
    rates,
    actors: readingCopies(host, { copies: facts.copies, isOpen, isCopied: () => true }),
  }
}

it('a shard that is released and opened elsewhere takes along who has copies, and what was counted', async () => {
  const [one, two, three] = [await node('one', [0]), await node('two', []), await node('three', [])]
  const shard = shardDigits(alice)
  await one.ask(alice, deposit(1))
  expect(await three.actors.read(alice as never)).toEqual({ is: 'done', balance: 1 })
  for (let each = 0; each < 250; each++) await one.rates.take(alice, minute)

  await one.host.close(shard)
  await Promise.all([one.facts.handOver(shard, 'two'), one.rates.handOver(shard, 'two')])
  owner.name = 'two'
  // The opening, the release, the next opening.
  expect(await two.host.open(shard)).toBe(3)

  // It is known who has copies: answers do not wait for leases to end, and a change is called back.
  expect(two.facts.elsewhere.settled(alice)).toBeNull()
  expect(two.facts.lender.size.lent).toBe(1)
  expect(await two.ask(alice, deposit(1))).toEqual({ is: 'done', balance: 2 })
  expect(three.facts.copies.size.copies).toBe(0)
  expect(await three.actors.read(alice as never)).toEqual({ is: 'done', balance: 2 })

  let admitted = 0
  for (let each = 0; each < 100; each++)
    if ((await two.rates.take(alice, minute)).is === 'admitted') admitted++
  expect(admitted).toBe(50)
})
