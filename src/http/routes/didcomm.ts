import { limits } from '../../domain/limits.ts'
import { problem } from '../route/problem.ts'
import { defineRawRoute, type Route } from '../route/route.ts'

const decoder = new TextDecoder('utf-8', { fatal: false })
const ENVELOPES = ['application/didcomm-envelope-enc', 'application/ssi-agent-wire']

/** Where wallets write to. The sender of an envelope that cannot be read here learns no more than that. */
export const didcommRoute = (
  receive: (address: string, envelope: string) => Promise<'accepted' | 'refused'>,
): Route =>
  defineRawRoute({
    method: 'POST',
    path: '/didcomm/{actorId}',
    operationId: 'receiveMessage',
    summary: 'Takes a message of a wallet',
    errors: ['invalid_request'],
    bodyBytesMax: limits.envelopeBytesMax,
    raw: {
      contentTypes: ENVELOPES,
      handle: async ({ params, body }) => {
        const received = await receive(params['actorId'] ?? '', decoder.decode(body))
        if (received === 'accepted') return { status: 202, headers: {}, body: '' }
        return problem('invalid_request', 'No one here can read this message.')
      },
    },
  })
