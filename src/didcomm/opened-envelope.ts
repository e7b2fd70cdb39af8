import { senderOf, unpack } from './envelope.ts'
import { keyPairFromSeed } from './keys.ts'
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

export type OpenedEnvelope = { readonly message: Message; readonly senderKey: string }

/** Null for an envelope that this key does not open, that names no sender, or that holds no message. */
export const openEnvelope = (envelope: string, ownSeed: string): OpenedEnvelope | null => {
  const own = keyPairFromSeed(Buffer.from(ownSeed, 'base64url'))
  const opened = readable(() => {
    const { message, senderKey } = unpack(envelope, (key) => (key === own.publicKeyBase58 ? own : null))
    return { message: parseMessage(message), senderKey }
  })
  if (!opened?.message || !opened.senderKey) return null
  return { message: opened.message, senderKey: opened.senderKey }
}

/** Who has sealed an envelope of which the ciphertext is left out; null where this key does not open it. */
export const senderOfHead = (head: string, ownSeed: string): string | null => {
  const own = keyPairFromSeed(Buffer.from(ownSeed, 'base64url'))
  return readable(() => senderOf(head, (key) => (key === own.publicKeyBase58 ? own : null)))
}

/** Null for what cannot be read, wherever reading fails: nothing that a stranger writes is a failure of ours. */
export const readable = <Value>(read: () => Value | null): Value | null => {
  try {
    return read()
  } catch {
    return null
  }
}
