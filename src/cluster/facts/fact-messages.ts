import { SHARD_COUNT } from '../../domain/references.ts'
import { AskFailed } from '../../ports/actors.ts'
import { decode } from '../json-bytes.ts'
import { isCount, isList, isObject, isText, isTime } from '../message-fields.ts'

export const LEND = 'facts.lend'
export const RECALL = 'facts.recall'
export const HAND_OVER = 'facts.hand-over'

/** What is copied: one view of one actor. */
export type Fact = { readonly actor: string; readonly view: string }

export type LendAnswer =
  /** A lease of 0: the value is good for reads from before the question alone. */
  | { readonly is: 'lent'; readonly leaseMs: number; readonly value: unknown }
  /** The shard is not served by the node that was asked. */
  | { readonly is: 'elsewhere'; readonly mapVersion: number }
  | {
      readonly is: 'failed'
      /** Null for a defect, which asking again does not mend. */
      readonly code: AskFailed['code'] | null
      readonly reason: string
      readonly retryAfterMs: number
    }

/** What the owner of a shard knew of its holders when it let go. */
export type HandedOver = {
  readonly shard: number
  /** The last of the owner that hands over: what it knows is whole only for the owner of the next one. */
  readonly epoch: number
  /** For how long this owner did not know who had copies from before it. */
  readonly unknownForMs: number
  readonly notes: readonly HandedNote[]
}

export type HandedNote = {
  readonly actor: string
  readonly node: string
  readonly forMs: number
  readonly isCalledBack: boolean
}

/** Throws on what no node of ours sends: it would be kept, and every change of a record would stumble over it. */
export const readHandedOver = (bytes: Uint8Array): HandedOver => {
  const message = decode(bytes)
  if (!isHandedOver(message)) throw new SyntaxError('what is handed over of facts cannot be read')
  return message
}

const isHandedOver = (value: unknown): value is HandedOver =>
  isObject(value) &&
  isCount(value['shard']) &&
  value['shard'] < SHARD_COUNT &&
  isCount(value['epoch']) &&
  isTime(value['unknownForMs']) &&
  isList(value['notes'], isNote)

const isNote = (value: unknown): value is HandedNote =>
  isObject(value) &&
  isText(value['actor']) &&
  isText(value['node']) &&
  isTime(value['forMs']) &&
  typeof value['isCalledBack'] === 'boolean'

export const failureAnswer = (error: unknown): LendAnswer => {
  if (!(error instanceof AskFailed))
    return { is: 'failed', code: null, reason: 'the owner cannot read the record', retryAfterMs: 0 }
  const { code, message: reason, retryAfterMs } = error
  return { is: 'failed', code, reason, retryAfterMs }
}

/** The record cannot be read where it is served. Asked for itself, its owner says why. */
export class NotLent extends Error {
  override readonly name = 'NotLent'
}

export const errorOf = ({ code, reason, retryAfterMs }: LendAnswer & { readonly is: 'failed' }): Error =>
  code === null ? new NotLent(reason) : new AskFailed(code, reason, retryAfterMs)
