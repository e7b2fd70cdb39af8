import { decode } from '../json-bytes.ts'
import { isCount, isList, isObject, isText } from '../message-fields.ts'

/** A node says which mailboxes it watches; asked of the owner of their shards. */
export const HOLD = 'watches.hold'
/** A node that took a message for a mailbox says so; asked of the owner. */
export const ANNOUNCE = 'watches.announce'
/** The owner says that something came; asked of a node that watches. */
export const TELL = 'watches.tell'

/**
 * What the owner says of each mailbox: it has heard of this watch before and nothing was missed since then; it knows of
 * it from now on only; its shard is not served there; there is no room for it.
 */
export const holdings = ['known', 'new', 'elsewhere', 'full'] as const
export type Holding = (typeof holdings)[number]

export type HoldAnswer = { readonly mapVersion: number; readonly holdings: readonly Holding[] }

/** `gone`: nobody watches it there any more. */
export type TellAnswer = 'taken' | 'untaken' | 'gone'

export const readHold = (bytes: Uint8Array, namesMax: number): readonly string[] => {
  const message = decode(bytes)
  if (!isList(message, isText) || message.length > namesMax)
    throw new SyntaxError('what a node says to watch cannot be read')
  return message
}

export const readHoldAnswer = (bytes: Uint8Array, names: number): HoldAnswer => {
  const message = decode(bytes)
  if (
    !isObject(message) ||
    !isCount(message['mapVersion']) ||
    !isList(message['holdings'], isHolding) ||
    message['holdings'].length !== names
  )
    throw new SyntaxError('the answer to what a node watches cannot be read')
  return { mapVersion: message['mapVersion'], holdings: message['holdings'] }
}

const isHolding = (value: unknown): value is Holding => holdings.includes(value as Holding)

/** `elsewhere`: the shard is not served there. */
export type AnnounceAnswer = { readonly is: 'taken' | 'untaken' | 'elsewhere'; readonly mapVersion: number }

export const readAnnounceAnswer = (bytes: Uint8Array): AnnounceAnswer => {
  const message = decode(bytes)
  if (
    !isObject(message) ||
    !isCount(message['mapVersion']) ||
    !['taken', 'untaken', 'elsewhere'].includes(String(message['is']))
  )
    throw new SyntaxError('the answer to what was announced cannot be read')
  return { is: message['is'] as AnnounceAnswer['is'], mapVersion: message['mapVersion'] }
}
