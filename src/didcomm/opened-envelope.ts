import { type ReadEnvelope, readEnvelope, senderOf, unpackRead } from './envelope.ts'
import { type KeyPair, pairOf } from './keys.ts'
import { type Message, parseMessage } from './message.ts'

/**
 * `refused`: no envelope that can be read, or of no sender who may write here; the sender learns no more than that. With a
 * time: nothing was done, because too much came at once; the same may be sent again after it. With a reason: it was
 * read, and its sender can be heard by no other way than this answer. With an answer: the sender takes it on the way that
 * the envelope came. Undelivered: it is for a wallet that takes it not, or not now.
 */
export type Received = 'accepted' | 'refused' | TooMany | Unanswerable | Answered | Undelivered
export type Answered = { readonly answer: string }
export type Undelivered = { readonly undelivered: 'unknown' | 'full'; readonly reason: string }
export type Unanswerable = { readonly reason: string }
export type TooMany = { readonly retryAfterMs: number }

export type OpenedEnvelope = {
  readonly message: Message
  readonly senderKey: string
  /** Ours, which it was sealed for. */
  readonly recipientKey: string
}

/** Ours of a public key; null where that is none of ours. */
type FindPair = (recipientKey: string) => KeyPair | null

/** Null for an envelope that none of our keys opens, that names no sender, or that holds no message. */
export const openReadEnvelope = (envelope: ReadEnvelope, findPair: FindPair): OpenedEnvelope | null =>
  readable(() => {
    const { message: text, senderKey, recipientKey } = unpackRead(envelope, findPair)
    const message = parseMessage(text)
    return message === null || senderKey === null ? null : { message, senderKey, recipientKey }
  })

/** The same of a text, where one key alone is ours. */
export const openEnvelope = (envelope: string, ownSeed: string): OpenedEnvelope | null =>
  readable(() => openReadEnvelope(readEnvelope(envelope), onlyPairOf(ownSeed)))

/** Who has sealed an envelope of which the ciphertext is left out; null where this key does not open it. */
export const senderOfHead = (head: string, ownSeed: string): string | null =>
  readable(() => senderOf(head, onlyPairOf(ownSeed)))

const onlyPairOf = (ownSeed: string): FindPair => {
  const own = pairOf(ownSeed)
  return (key) => (key === own.publicKeyBase58 ? own : null)
}

/** Null for what cannot be read, wherever reading fails: nothing that a stranger writes is a failure of ours. */
export const readable = <Value>(read: () => Value | null): Value | null => {
  try {
    return read()
  } catch {
    return null
  }
}
