import type { Eventually } from '../../domain/eventually.ts'
import { fnv1a } from '../../domain/fnv1a.ts'
import { SHARD_COUNT } from '../../domain/references.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { decode, encode } from '../json-bytes.ts'

export type SharedCountsPorts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly map: Pick<ShardMapView, 'ownerOf'>
}

/** Counts of this process. Commands and answers are plain values. */
export type LocalCounts<State, Command, Answer> = {
  of(key: string): State
  tell(key: string, command: Command): Answer
}

export type SharedCounts<State, Command, Answer> = {
  of(key: string): Eventually<State>
  tell(key: string, command: Command): Eventually<Answer>
}

type Question = { readonly key: string; readonly command: unknown }

const TIMEOUT_MS = 500

/** The same counts, each kept by one node of the cluster. `name` tells tables apart. Called before the link is started. */
export const sharedCounts = <State, Command, Answer>(
  { node, link, map }: SharedCountsPorts,
  name: string,
  local: LocalCounts<State, Command, Answer>,
): SharedCounts<State, Command, Answer> => {
  const service = `counts.${name}`
  link.handle(service, (body) => {
    const { key, command } = decode(body) as Question
    return Promise.resolve(encode(command === null ? local.of(key) : local.tell(key, command as Command)))
  })
  const asked = <Value>(key: string, command: Command | null, here: () => Value): Eventually<Value> => {
    const owner = map.ownerOf(fnv1a(key) % SHARD_COUNT)
    if (owner === null || owner === node) return here()
    return link
      .request(owner, service, encode({ key, command }), { timeoutMs: TIMEOUT_MS })
      .then((answer) => decode(answer) as Value, here)
  }
  return {
    of: (key) => asked(key, null, () => local.of(key)),
    tell: (key, command) => asked(key, command, () => local.tell(key, command)),
  }
}
