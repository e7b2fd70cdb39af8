import type { Eventually } from '../../domain/eventually.ts'
import { fnv1a } from '../../domain/fnv1a.ts'
import { SHARD_COUNT } from '../../domain/references.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { decode, encode } from '../json-bytes.ts'

export type SharedCountsPorts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly map: Pick<ShardMapView, 'ownerOf'>
  readonly runtime: Pick<Runtime, 'now'>
}

type Timed = { readonly atMs: number }

/** Counts of this process. Commands and answers are plain values. */
export type LocalCounts<Look, Command extends Timed, Answer> = {
  look(key: string, atMs: number): Look
  tell(key: string, command: Command): Answer
}

export type SharedCounts<Look, Command extends Timed, Answer> = {
  look(key: string, atMs: number): Eventually<Look>
  tell(key: string, command: Command): Eventually<Answer>
}

type Question = { readonly key: string; readonly command: Timed | null }

const TIMEOUT_MS = 500

/**
 * The same counts, each kept by one node of the cluster, by the clock of that node. `name` tells tables apart. Called
 * before the link is started.
 */
export const sharedCounts = <Look, Command extends Timed, Answer>(
  { node, link, map, runtime }: SharedCountsPorts,
  name: string,
  local: LocalCounts<Look, Command, Answer>,
): SharedCounts<Look, Command, Answer> => {
  const service = `counts.${name}`
  link.handle(service, (body) => {
    const { key, command } = decode(body) as Question
    const atMs = runtime.now()
    const answer =
      command === null ? local.look(key, atMs) : local.tell(key, { ...(command as Command), atMs })
    return Promise.resolve(encode(answer))
  })
  const asked = <Value>(key: string, command: Command | null, here: () => Value): Eventually<Value> => {
    const owner = map.ownerOf(fnv1a(key) % SHARD_COUNT)
    if (owner === null || owner === node) return here()
    return link
      .request(owner, service, encode({ key, command }), { timeoutMs: TIMEOUT_MS })
      .then((answer) => decode(answer) as Value, here)
  }
  return {
    look: (key, atMs) => asked(key, null, () => local.look(key, atMs)),
    tell: (key, command) => asked(key, command, () => local.tell(key, command)),
  }
}
