import { decode } from '../json-bytes.ts'
import { isCount, isList, isObject, isText } from '../message-fields.ts'

/** A node says which mailboxes it watches; asked of the owner of their shards. */
export const HOLD = 'watches.hold'
/** A node that took a message for a mailbox says so; asked of the owner. */
export const ANNOUNCE = 'watches.announce'
/** The owner says that something came; asked of a node that watches. */
export const TELL = 'watches.tell'

/** A mailbox, and the token of the last answer about it; 0 where there is none. */
export type Hold = readonly [mailbox: string, token: number]

/**
 * What the owner says of each mailbox: the node has this token, and nothing was missed since it got it; it has to look,
 * because something may have been missed; the shard is not served there; there is no room for the watch.
 */
export type Held = { readonly is: Holding; readonly token: number }
const holdings = ['known', 'new', 'elsewhere', 'full'] as const
export type Holding = (typeof holdings)[number]

export type HoldAnswer = { readonly mapVersion: number; readonly held: readonly Held[] }

/** `gone`: nobody watches it there any more. */
export type TellAnswer = 'taken' | 'untaken' | 'gone'

export const readHolds = (bytes: Uint8Array, namesMax: number): readonly Hold[] => {
  const message = decode(bytes)
  if (!isList(message, isHold) || message.length > namesMax)
    throw new SyntaxError('what a node says to watch cannot be read')
  return message
}

const isHold = (value: unknown): value is Hold =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && isCount(value[1])

export const readHoldAnswer = (bytes: Uint8Array, names: number): HoldAnswer => {
  const message = decode(bytes)
  if (
    !isObject(message) ||
    !isCount(message['mapVersion']) ||
    !isList(message['held'], isHeld) ||
    message['held'].length !== names
  )
    throw new SyntaxError('the answer to what a node watches cannot be read')
  return { mapVersion: message['mapVersion'], held: message['held'] }
}

const isHeld = (value: unknown): value is Held =>
  isObject(value) && holdings.includes(value['is'] as Holding) && isCount(value['token'])

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
