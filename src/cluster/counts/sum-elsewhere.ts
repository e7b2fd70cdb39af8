import type { NodeLink } from '../../ports/node-link.ts'
import { decode, encode } from '../json-bytes.ts'

export type SumElsewherePorts = { readonly link: Pick<NodeLink, 'handle' | 'request' | 'peers'> }

const TIMEOUT_MS = 500

/**
 * How much of something all other nodes have together, each by its own count. A bound on what callers hold open is a
 * brake and no proof, so a node that does not answer in time has nothing, and what begins on two nodes at the same
 * moment may be one more. `here` may also do what it counts, once for each question. `name` tells counts apart. Called
 * before the link is started.
 */
export const sumElsewhere = (
  { link }: SumElsewherePorts,
  name: string,
  here: (key: string) => number,
): ((key: string) => Promise<number>) => {
  const service = `sum.${name}`
  link.handle(service, (body) => Promise.resolve(encode(here(decode(body) as string))))
  const at = async (node: string, key: string): Promise<number> => {
    try {
      return decode(await link.request(node, service, encode(key), { timeoutMs: TIMEOUT_MS })) as number
    } catch {
      return 0
    }
  }
  return async (key) => {
    const others = link.peers().filter(({ state }) => state === 'connected')
    const counts = await Promise.all(others.map(({ node }) => at(node, key)))
    return counts.reduce((sum, count) => sum + count, 0)
  }
}
