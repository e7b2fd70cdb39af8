import { limits } from '../../domain/limits.ts'
import { scanJson, without } from '../route/json-scan.ts'
import { type Problem, problem } from '../route/problem.ts'
import { defineRawRoute, type Route } from '../route/route.ts'

/** Who takes envelopes. */
export type Inbound = {
  readonly receive: (address: string, envelope: string) => Promise<'accepted' | 'refused'>
  /** Whether the address knows the sender of an envelope, of which the ciphertext is left out. */
  readonly isKnown: (address: string, head: string) => Promise<boolean>
}

const decoder = new TextDecoder('utf-8', { fatal: false })
const ENVELOPES = ['application/didcomm-envelope-enc', 'application/ssi-agent-wire']
/** The one text of an envelope that may be long. */
const CIPHERTEXT = ['ciphertext']

/** Where wallets write to. The sender of an envelope that cannot be read here learns no more than that. */
export const didcommRoute = (inbound: Inbound): Route =>
  defineRawRoute({
    method: 'POST',
    path: '/didcomm/{actorId}',
    operationId: 'receiveMessage',
    summary: 'Takes a message of a wallet',
    errors: ['invalid_request'],
    bodyBytesMax: limits.envelopeBytesMax,
    raw: {
      contentTypes: ENVELOPES,
      handle: async ({ params: { actorId = '' }, body }) => {
        const { flaw, longText } = scanJson(body, CIPHERTEXT)
        if (flaw !== null) return flaw === 'too_large' ? tooLarge() : unreadable()
        if (body.byteLength > limits.strangerEnvelopeBytesMax && longText !== null) {
          const head = decoder.decode(without(body, longText))
          if (!(await inbound.isKnown(actorId, head))) return tooLarge()
        }
        const received = await inbound.receive(actorId, decoder.decode(body))
        return received === 'accepted' ? { status: 202, headers: {}, body: '' } : unreadable()
      },
    },
  })

const unreadable = (): Problem => problem('invalid_request', 'No one here can read this message.')

const tooLarge = (): Problem =>
  problem(
    'payload_too_large',
    `From a sender without a connection here, a message may have ${limits.strangerEnvelopeBytesMax} bytes.`,
  )
