import { everyAnswer } from '../cluster/everywhere/every-answer.ts'
import type { OpenLedger } from '../ledger/open-ledger.ts'
import type { NodeHealth, PartHealth } from '../ports/node-health.ts'
import { readFigures } from '../telemetry/health-figures.ts'
import { within } from '../timing/within.ts'
import type { DurableActors } from './durable-actors.ts'
import { ledgerHealth } from './ledger.ts'
import type { ServiceContext } from './service-context.ts'

/** A part that says nothing for so long does not work; the other nodes wait a little longer for the answer. */
const PART_MS_MAX = 2_000

type HealthParts = {
  readonly durable: Pick<DurableActors, 'node' | 'cluster' | 'isDraining'>
  /** Each resolves when the part works. */
  readonly probed: Readonly<Record<string, () => Promise<unknown>>>
  /** What is said beside that, and makes nothing unhealthy. */
  readonly detail: () => readonly PartHealth[]
}

type Probed = { readonly probe: () => Promise<unknown> }

/** How every living node is with the parts that a node has. */
export const healthOfNodes = (
  context: ServiceContext,
  durable: HealthParts['durable'] & Probed,
  { events, lists }: { readonly events: Probed; readonly lists: Probed },
  ledger: Pick<OpenLedger, 'status'>,
): (() => Promise<readonly NodeHealth[]>) =>
  composeHealth(context, {
    durable,
    probed: { actors: () => durable.probe(), events: () => events.probe(), lists: () => lists.probe() },
    detail: () => [ledgerHealth(ledger.status)],
  })

/** Asked when an operator asks. */
export const composeHealth = (
  { metrics, runtime }: Pick<ServiceContext, 'metrics' | 'runtime'>,
  { durable, probed, detail }: HealthParts,
): (() => Promise<readonly NodeHealth[]>) => {
  const { node, cluster } = durable
  const startedAtMs = Math.floor(runtime.now())
  const here = async (): Promise<NodeHealth> => ({
    node,
    isReached: true,
    isDraining: durable.isDraining(),
    startedAtMs,
    parts: [...(await Promise.all(Object.entries(probed).map(partOf))), ...detail()],
    figures: await readFigures(metrics.registry),
  })
  const elsewhere: () => Promise<readonly (readonly [string, NodeHealth | null])[]> =
    cluster === null ? () => Promise.resolve([]) : everyAnswer(cluster, 'health', here)
  return async () => {
    const [own, others] = await Promise.all([here(), elsewhere()])
    const all = [own, ...others.map(([name, answer]) => answer ?? unreached(name))]
    return all.toSorted((one, other) => (one.node < other.node ? -1 : 1))
  }
}

const unreached = (node: string): NodeHealth => ({
  node,
  isReached: false,
  isDraining: null,
  startedAtMs: null,
  parts: [],
  figures: null,
})

const partOf = async ([name, probe]: readonly [string, () => Promise<unknown>]): Promise<PartHealth> => {
  try {
    await within(PART_MS_MAX, probe(), () => new Error('the part took too long'))
    return { name, isUp: true, detail: null }
  } catch (error) {
    // The message of an error may quote what it was about.
    return { name, isUp: false, detail: error instanceof Error ? error.name : null }
  }
}
