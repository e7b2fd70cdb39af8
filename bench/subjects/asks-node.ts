// One of two nodes with the link that nodes have, in a process of its own: `near` has every shard, `far` none.
import type { Peer } from '../../src/cluster/link/wire.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { Host } from '../../src/host/host.ts'
import { askPages, pagesNode, type Verb } from './asked-pages.ts'
import { benchLink } from './bench-link.ts'

const runtime = createRuntime()
let running: { readonly host: Host; readonly link: ReturnType<typeof benchLink> } | null = null

/** The address of its link. */
export async function start(node: 'near' | 'far', bytes: number): Promise<string> {
  const link = benchLink(node, runtime)
  const host = await pagesNode(node, 'near', { link: link.link, runtime, bytes })
  running = { host, link }
  return link.start()
}

export const connect = (peer: Peer): Promise<void> => started().link.connect(peer)

export const load = (verb: Verb, askers: number, durationMs: number): Promise<{ asks: number }> =>
  askPages(started().host.actors, runtime, { verb, askers, durationMs })

const started = () => {
  if (running === null) throw new Error('the node has not started')
  return running
}
