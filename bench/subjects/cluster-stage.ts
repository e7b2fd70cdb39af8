import type { Wanted } from '../../tools/cluster/layout.ts'
import { startProcess } from '../../tools/harness/module-process.ts'
import type { BenchmarkContext } from '../harness/benchmark.ts'
import { ATTRIBUTES, ExchangeFlows, REVEALED, type Tenant, type Wallets } from './exchange-flows.ts'
import { openLocalCluster } from './local-cluster.ts'
import { publishDefinition } from './published-definition.ts'

/** What the nodes do behind the last answer (copies of the journal, lists) belongs to the exchanges. */
const SETTLE_MS = 3_000

type Crowd = { readonly atOnce: number; readonly wave: number }

/** A cluster behind its proxy with an organisation and wallets, each in a process of its own, ready for exchanges. */
export const openClusterStage = async (
  { open }: Pick<BenchmarkContext<unknown>, 'open'>,
  folder: string,
  wanted: Wanted,
  { atOnce, wave }: Crowd,
) => {
  const cluster = await open(openLocalCluster(folder, wanted))
  await cluster.settled(Array.from({ length: wanted.nodes }, (_, index) => index + 1))
  const { order, tenant: organisation, key, url, trust: env } = cluster
  const tenant = await open(startProcess<Tenant>(new URL('../load/tenant.ts', import.meta.url), { env }))
  const wallets = await open(startProcess<Wallets>(new URL('../load/wallets.ts', import.meta.url), { env }))
  const hooks = (await tenant.call('listen')).value
  const endpoint = await order('webhook set', { tenant: organisation, url: hooks, eventTypes: null })
  await tenant.call('meet', url, key, String(endpoint['secret']))
  await wallets.call('listen', wave)
  const published = await publishDefinition(order, organisation, ATTRIBUTES, REVEALED)
  const { indyNamespace } = (await tenant.call('get', '/v1/ledger')).value
  await wallets.call('useLedger', String(indyNamespace), cluster.genesis())
  const flows = new ExchangeFlows({ tenant, wallets }, published, atOnce)
  return {
    cluster,
    flows,
    /** Processor time of the nodes for `work` and a while behind it. */
    measured: async (
      work: () => Promise<void>,
    ): Promise<{ cpuMs: number; wallMs: number; spanMs: number }> => {
      const [beforeMs, startedMs] = [cluster.cpuMs(), performance.now()]
      await work()
      const wallMs = performance.now() - startedMs
      await passed(SETTLE_MS)
      return { cpuMs: cluster.cpuMs() - beforeMs, wallMs, spanMs: performance.now() - startedMs }
    },
    /** Processor time that the nodes take in a second without any request. */
    idleMsPerS: async (seconds: number): Promise<number> => {
      await passed(SETTLE_MS)
      const beforeMs = cluster.cpuMs()
      await passed(seconds * 1_000)
      return (cluster.cpuMs() - beforeMs) / seconds
    },
  }
}

export type ClusterStage = Awaited<ReturnType<typeof openClusterStage>>

const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
