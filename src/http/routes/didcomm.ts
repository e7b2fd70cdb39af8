import { limits } from '../../domain/limits.ts'
import { problem, retryAfter } from '../route/problem.ts'
import { defineRawRoute, type Route } from '../route/route.ts'
import type { ClientAddress } from '../server/client-address.ts'

const decoder = new TextDecoder('utf-8', { fatal: false })
const ENVELOPES = ['application/didcomm-envelope-enc', 'application/ssi-agent-wire']

type Received = 'accepted' | 'refused' | { readonly retryAfterMs: number }

/** Where wallets write to. The sender of an envelope that cannot be read here learns no more than that. */
export const didcommRoute = (
  receive: (address: string, envelope: string, from: string) => Promise<Received>,
  clientAddress: ClientAddress,
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
      handle: async ({ params, body, head }) => {
        const received = await receive(params['actorId'] ?? '', decoder.decode(body), clientAddress(head))
        if (received === 'accepted') return { status: 202, headers: {}, body: '' }
        if (received === 'refused') return problem('invalid_request', 'No one here can read this message.')
        const reason = 'Too many wallets want to connect; send the message again later.'
        return problem('rate_limited', reason, retryAfter(received.retryAfterMs))
      },
    },
  })
