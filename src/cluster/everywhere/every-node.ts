import { AskFailed } from '../../ports/actors.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { withinBy } from '../../timing/within.ts'

export type EveryNodeParts = {
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  /** The other nodes whose leases are not over, read from the store: one that has just joined must not be missed. */
  readonly readLivingNodes: () => Promise<readonly string[]>
  readonly runtime: Pick<Runtime, 'sleep' | 'monotonicMs'>
}

/** What is done on every node, this one included, before somebody is answered. */
export interface EveryNode {
  /**
   * Names a work that every node can do, and gives the way to have it done everywhere: it resolves when each living node
   * has confirmed, or has lost its lease meanwhile, and rejects as retryable when that takes longer than the limit. The
   * work may be done several times.
   */
  work(
    name: string,
    limitMs: number,
    here: (subject: string) => Promise<void>,
  ): (subject: string) => Promise<void>
}

const AGAIN_MS = 100
const RETRY_AFTER_MS = 1_000
const DONE = new Uint8Array(0)

/** A process that has its engine to itself is every node there is. */
export const onlyNode: EveryNode = { work: (_name, _limitMs, here) => here }

export const everyNode = ({ link, readLivingNodes, runtime }: EveryNodeParts): EveryNode => {
  /** Until the node has confirmed or lives no more; what fails is tried again. */
  const confirmed = async (node: string, service: string, subject: string, endMs: number): Promise<void> => {
    const body = Buffer.from(subject)
    for (;;) {
      const timeoutMs = endMs - runtime.monotonicMs()
      if (timeoutMs <= 0) throw new AskFailed('unavailable', 'a node has not confirmed', RETRY_AFTER_MS)
      try {
        await link.request(node, service, body, { timeoutMs })
        return
      } catch {
        await runtime.sleep(Math.min(AGAIN_MS, timeoutMs))
      }
      // Where the store does not answer either, nobody can say that the node is gone.
      const isGone = await readLivingNodes().then(
        (left) => !left.includes(node),
        () => false,
      )
      if (isGone) return
    }
  }

  return {
    work: (name, limitMs, here) => {
      const service = `everywhere:${name}`
      link.handle(service, async (body) => {
        await here(Buffer.from(body).toString())
        return DONE
      })
      return async (subject) => {
        const endMs = runtime.monotonicMs() + limitMs
        const everywhere = async (): Promise<void> => {
          const nodes = await readLivingNodes()
          await Promise.all([here(subject), ...nodes.map((node) => confirmed(node, service, subject, endMs))])
        }
        await withinBy(runtime, limitMs, everywhere(), () => {
          throw new AskFailed('unavailable', 'not every node has confirmed', RETRY_AFTER_MS)
        })
      }
    },
  }
}
