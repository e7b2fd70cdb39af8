// One service process without its HTTP front: journal, leases, host and a test actor. Its parent kills it.
import { Host } from '../../src/host/host.ts'
import { defaultHostLimits } from '../../src/host/host-limits.ts'
import type { Ownership } from '../../src/ports/ownership.ts'
import { soleOwner } from '../../src/ports/ownership.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { LeaseKeeper, leaseDefaults } from '../../src/cluster/lease.ts'
import { type Membership, ShardKeeper, shardKeeperDefaults } from '../../src/cluster/shards.ts'
import { type Engine, openEngine } from '../../src/persistence/open-engine.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import { type CounterCommand, type CounterReply, counter } from '../simulate/counter.ts'
import type { FromService, ServiceOrders, ToService } from './messages.ts'

const orders = JSON.parse(process.argv[2] ?? '') as ServiceOrders
/** A follower that never comes: the audit at the end reads the whole log. */
const NOBODY = 'audit'
const ASK_TIMEOUT_MS = 5_000
const EFFECT_MS = 20

if (orders.clockOffsetMs !== 0) {
  const now = Date.now.bind(Date)
  Date.now = () => now() + orders.clockOffsetMs
}

const tell = (message: FromService): void => {
  if (process.connected) process.send?.(message)
}

const runtime = createRuntime()

const definition: typeof counter = {
  ...counter,
  perform: async ({ id }, { actor }): Promise<CounterCommand> => {
    tell({ is: 'performed', actor, effect: id })
    await runtime.sleep(runtime.random() * EFFECT_MS)
    return { is: 'settle', id }
  },
}

type Lease = { readonly ownership: Ownership; readonly membership: Membership; leave(): Promise<void> }

const joinCluster = (engine: Engine): Lease => {
  const { node } = orders
  if (orders.engine.engine === 'sqlite') {
    const ownership = soleOwner(`${node}~${runtime.newId()}`)
    const alive = [{ node, incarnation: '', counter: 0, address: '', state: 'alive' as const }]
    const membership = { session: () => ownership.session(), alive: () => alive }
    return { ownership, membership, leave: () => Promise.resolve() }
  }
  const keeper = new LeaseKeeper(engine.leases, runtime, leaseDefaults, { node, address: '' })
  keeper.start()
  return { ownership: keeper, membership: keeper, leave: () => keeper.leave() }
}

const start = async (): Promise<void> => {
  const engine = await openEngine(orders.engine)
  const lease = joinCluster(engine)
  const settings = { ...shardLogDefaults, publishedReader: NOBODY }
  const journal = openJournal(engine.store, runtime, settings, lease.ownership)
  const host = new Host({
    journal: {
      ...bound(journal),
      open: async (shard) => {
        const startedMs = runtime.monotonicMs()
        const opened = await journal.open(shard)
        tell({ is: 'opened', shard, tookMs: runtime.monotonicMs() - startedMs })
        return opened
      },
    },
    vault: null,
    runtime,
    definitions: () => [definition],
    limits: { ...defaultHostLimits, residentMax: 20, timerWindowMs: 10_000, drainMs: 3_000 },
    report: ({ during, error }) => report(during, error),
  })
  const keeping = { ...shardKeeperDefaults, intervalMs: 200, shardCount: orders.shardCount }
  const shards = new ShardKeeper(orders.node, lease.membership, host, runtime, keeping, (shard, error) =>
    report(`shard ${shard}`, error),
  )
  shards.start()
  process.on('message', (message: ToService) => {
    if (message.is === 'ask') ask(host, message)
    else void stop()
  })
  process.on('disconnect', () => process.exit(0))
  tell({ is: 'started' })

  const stop = async (): Promise<void> => {
    await shards.stop()
    await host[Symbol.asyncDispose]()
    await journal[Symbol.asyncDispose]()
    await lease.leave()
    await engine[Symbol.asyncDispose]()
    process.exit(0)
  }
}

const bound = (journal: ReturnType<typeof openJournal>) => ({
  readTail: journal.readTail.bind(journal),
  firstKeptNo: journal.firstKeptNo.bind(journal),
  savePosition: journal.savePosition.bind(journal),
  readPosition: journal.readPosition.bind(journal),
  onCommitted: journal.onCommitted.bind(journal),
  probe: journal.probe.bind(journal),
})

const ask = (host: Host, { id, actor, command, commandId }: ToService & { readonly is: 'ask' }): void => {
  host.ask<CounterReply>(actor, command, { commandId, timeoutMs: ASK_TIMEOUT_MS, tenant: 'campaign' }).then(
    (reply) => tell({ is: 'answer', id, reply }),
    (error: Error & { code?: string; retryable?: boolean }) =>
      tell({ is: 'refusal', id, code: error.code ?? error.message, retryable: error.retryable === true }),
  )
}

/** What says of itself that it passes is expected here; everything else is a defect. */
const report = (during: string, error: unknown): void => {
  if (error instanceof Error && ('retryable' in error || error.message === 'the lease is not confirmed'))
    return
  tell({ is: 'defect', text: `${during}: ${error instanceof Error ? error.stack : String(error)}` })
}

start().catch((error: unknown) => {
  tell({ is: 'failed', reason: error instanceof Error ? error.message : String(error) })
  setTimeout(() => process.exit(1), 100)
})
