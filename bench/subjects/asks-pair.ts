// Two nodes in one process, so that its processor time is that of both sides: one has no shard, the other has all.
import { createRuntime } from '../../src/host/runtime.ts'
import type { Actors } from '../../src/ports/actors.ts'
import { askPages, pagesNode, type Verb } from './asked-pages.ts'
import { handedPair, type LinkedPair, plainPair } from './plain-links.ts'

const runtime = createRuntime()
const opened: AsyncDisposable[] = []
let nodes: { readonly far: Actors; readonly near: Actors } | null = null

const pairs = { bare_socket: plainPair, no_link: handedPair }
export type PairName = keyof typeof pairs

export async function open(pairName: PairName, bytes: number): Promise<void> {
  const pair: LinkedPair = await pairs[pairName](['far', 'near'])
  opened.push(pair)
  const far = await pagesNode('far', 'near', { link: pair.links[0], runtime, bytes })
  const near = await pagesNode('near', 'near', { link: pair.links[1], runtime, bytes })
  opened.push(far, near)
  nodes = { far: far.actors, near: near.actors }
}

export async function close(): Promise<void> {
  for (const each of opened.splice(0).toReversed()) await each[Symbol.asyncDispose]()
  nodes = null
}

/** At the node that has the shards or at the other. */
export async function load(
  at: 'far' | 'near',
  verb: Verb,
  askers: number,
  durationMs: number,
): Promise<{ asks: number }> {
  if (nodes === null) throw new Error('open first')
  return askPages(nodes[at], runtime, { verb, askers, durationMs })
}
