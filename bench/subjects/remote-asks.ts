import { type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'
import type { BenchmarkContext } from '../harness/benchmark.ts'
import { median } from '../harness/statistics.ts'
import type { Verb } from './asked-pages.ts'

type Node = typeof import('./asks-node.ts')

export type AsksLoad = {
  readonly rounds: number
  readonly seconds: number
  readonly askers: number
  /** Of a reply. */
  readonly bytes: number
}

export type AskCosts = { readonly ownUs: number; readonly overUs: number }

export const ASK_WARM_UPS = 3

/**
 * Processor time of an ask at the node that has the actor, and how much more one takes, of both nodes together, that
 * comes from a node in another process over the link that nodes have.
 */
export const measureRemoteAsks = async (
  { open }: Pick<BenchmarkContext<unknown>, 'open'>,
  load: AsksLoad,
): Promise<Readonly<Record<Verb, AskCosts>>> => {
  const file = new URL('./asks-node.ts', import.meta.url)
  const near = await open(startProcess<Node>(file))
  const far = await open(startProcess<Node>(file))
  const nearAt = (await near.call('start', 'near', load.bytes)).value
  const farAt = (await far.call('start', 'far', load.bytes)).value
  await Promise.all([
    near.call('connect', { node: 'far', address: farAt }),
    far.call('connect', { node: 'near', address: nearAt }),
  ])
  try {
    const asks = await costsOf(near, far, 'ask', load)
    return { ask: asks, read: await costsOf(near, far, 'read', load) }
  } finally {
    for (const node of [far, near]) await node[Symbol.asyncDispose]()
  }
}

const costsOf = async (
  near: ModuleProcess<Node>,
  far: ModuleProcess<Node>,
  verb: Verb,
  { rounds, seconds, askers }: AsksLoad,
): Promise<AskCosts> => {
  const spentMs = async (): Promise<number> => (await near.usage()).cpuMs + (await far.usage()).cpuMs
  const cpuUs = async (at: ModuleProcess<Node>): Promise<number> => {
    const beforeMs = await spentMs()
    const { value } = await at.call('load', verb, askers, seconds * 1_000)
    return (((await spentMs()) - beforeMs) * 1_000) / value.asks
  }
  const measured: AskCosts[] = []
  for (let round = -ASK_WARM_UPS; round < rounds; round++) {
    const ownUs = await cpuUs(near)
    const overUs = (await cpuUs(far)) - ownUs
    if (round >= 0) measured.push({ ownUs, overUs })
  }
  return {
    ownUs: median(measured.map((each) => each.ownUs)),
    overUs: median(measured.map((each) => each.overUs)),
  }
}
