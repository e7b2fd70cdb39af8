import { limits } from '../../domain/limits.ts'
import { scanJson, without } from '../route/json-body.ts'
import { problem, retryAfter, type Problem } from '../route/problem.ts'
import { defineRawRoute, type Route } from '../route/route.ts'
import type { ClientAddress } from '../server/client-address.ts'
import type { Reply } from '../server/server.ts'
import type { LargeEnvelopes } from './large-envelopes.ts'

type Received =
  | 'accepted'
  | 'refused'
  | { readonly retryAfterMs: number }
  | { readonly reason: string }
  | { readonly answer: string }
  | { readonly undelivered: 'unknown' | 'full'; readonly reason: string }

/** Who takes envelopes. */
export type Inbound = {
  readonly receive: (address: string, envelope: string, from: string) => Promise<Received>
  /** Whether the address knows the sender of an envelope, of which the ciphertext is left out. */
  readonly isKnown: (address: string, head: string) => Promise<boolean>
}

/** Who takes what is to be forwarded to a wallet. */
export type Forward = (envelope: string) => Promise<Received>

const decoder = new TextDecoder('utf-8', { fatal: false })
const ENVELOPE = 'application/didcomm-envelope-enc'
const ENVELOPES = [ENVELOPE, 'application/ssi-agent-wire']
/** The one text of an envelope that may be long. */
const CIPHERTEXT = ['ciphertext']

/** Where wallets write to. The sender of an envelope that cannot be read here learns no more than that. */
export const didcommRoute = (
  inbound: Inbound,
  clientAddress: ClientAddress,
  largeEnvelopes: Pick<LargeEnvelopes, 'take'>,
): Route =>
  defineRawRoute({
    method: 'POST',
    path: '/didcomm/{actorId}',
    operationId: 'receiveMessage',
    summary: 'Takes a message of a wallet',
    errors: ['invalid_request', 'rate_limited'],
    bodyBytesMax: limits.envelopeBytesMax,
    raw: {
      contentTypes: ENVELOPES,
      handle: async ({ params: { actorId = '' }, body, head }) => {
        const from = clientAddress(head)
        const { flaw, longText } = scanJson(body, CIPHERTEXT)
        if (flaw !== null) return flaw === 'too_large' ? tooLarge() : unreadable()
        if (body.byteLength > limits.strangerEnvelopeBytesMax && longText !== null) {
          const withoutText = decoder.decode(without(body, longText))
          if (!(await inbound.isKnown(actorId, withoutText))) return tooLarge()
          const waitMs = largeEnvelopes.take(actorId, from)
          if (waitMs !== null) return tooMany('Too many large messages came', waitMs)
        }
        return answerTo(await inbound.receive(actorId, decoder.decode(body), from))
      },
    },
  })

/** Where anybody writes to a wallet behind the mediator, whichever it is. */
export const forwardRoute = (forward: Forward): Route =>
  defineRawRoute({
    method: 'POST',
    path: '/didcomm',
    operationId: 'forwardMessage',
    summary: 'Takes a message for a wallet that waits for it here',
    errors: ['invalid_request', 'not_found', 'rate_limited', 'mailbox_full'],
    bodyBytesMax: limits.strangerEnvelopeBytesMax,
    raw: {
      contentTypes: ENVELOPES,
      handle: async ({ body }) => {
        const { flaw } = scanJson(body, CIPHERTEXT)
        if (flaw !== null) return flaw === 'too_large' ? tooLarge() : unreadable()
        return answerTo(await forward(decoder.decode(body)))
      },
    },
  })

/** Accepted is what is durable. */
const answerTo = (received: Received): Reply | Problem => {
  if (received === 'accepted') return { status: 202, headers: {}, body: '' }
  if (received === 'refused') return unreadable()
  if ('answer' in received) return { status: 200, headers: ANSWERED, body: received.answer }
  if ('undelivered' in received)
    return problem(received.undelivered === 'full' ? 'mailbox_full' : 'not_found', received.reason)
  if ('reason' in received) return problem('invalid_request', received.reason)
  return tooMany('Too much comes at once', received.retryAfterMs)
}

const ANSWERED = Object.freeze({ 'Content-Type': ENVELOPE, 'Cache-Control': 'no-store' })

const unreadable = (): Problem => problem('invalid_request', 'No one here can read this message.')

const tooMany = (what: string, waitMs: number): Problem =>
  problem('rate_limited', `${what}; send the message again later.`, retryAfter(waitMs))

const tooLarge = (): Problem =>
  problem(
    'payload_too_large',
    `From a sender without a connection here, a message may have ${limits.strangerEnvelopeBytesMax} bytes.`,
  )
