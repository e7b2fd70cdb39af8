import type { NodeLink } from '../../ports/node-link.ts'
import { decode, encode } from '../json-bytes.ts'

export type EveryAnswerPorts = {
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly livingNodes: () => readonly string[]
}

const TIMEOUT_MS = 3_000
const NO_QUESTION = new Uint8Array(0)

/**
 * What every other living node says to the same question, null where it does not answer in time. `name` tells questions
 * apart. Called before the link is started.
 */
export const everyAnswer = <Answer>(
  { link, livingNodes }: EveryAnswerPorts,
  name: string,
  here: () => Promise<Answer>,
): (() => Promise<readonly (readonly [node: string, answer: Answer | null])[]>) => {
  const service = `every.${name}`
  link.handle(service, async () => encode(await here()))
  const at = async (node: string) => {
    const answer = await link.request(node, service, NO_QUESTION, { timeoutMs: TIMEOUT_MS }).catch(() => null)
    return [node, answer === null ? null : (decode(answer) as Answer)] as const
  }
  return () => Promise.all(livingNodes().map(at))
}
