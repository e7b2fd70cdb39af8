import { parseJson, textOfFrame } from './json-text.ts'
import { failureAcross, failureFrom, type CrossedFailure } from './failure-text.ts'

/** What comes back: the reply as JSON, a failure, or that the shard is not served there. */
export type AskAnswer =
  | { readonly is: 'reply'; readonly reply: unknown }
  | { readonly is: 'failure'; readonly error: Error }
  | { readonly is: 'not_owner'; readonly mapVersion: number }

const REPLY = 0x72
const FAILURE = 0x66
const NOT_OWNER = 0x6e

export const replyFrame = (reply: unknown): Uint8Array => Buffer.from(`r${JSON.stringify(reply)}`)

export const failureFrame = (error: unknown): Uint8Array =>
  Buffer.from(`f${JSON.stringify(failureAcross(error))}`)

export const notOwnerFrame = (mapVersion: number): Uint8Array => Buffer.from(`n${mapVersion}`)

/** Throws on what no node of ours answers. */
export const readAnswer = (frame: Uint8Array): AskAnswer => {
  const text = textOfFrame(frame.subarray(1))
  switch (frame[0]) {
    case REPLY:
      return { is: 'reply', reply: parseJson(text) }
    case FAILURE:
      return { is: 'failure', error: failureFrom(parseJson(text) as CrossedFailure) }
    case NOT_OWNER:
      return { is: 'not_owner', mapVersion: Number(text) }
    default:
      throw new SyntaxError('an answer of a kind that this version does not know')
  }
}
