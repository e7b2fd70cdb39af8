import { defineRawRoute, type Route } from '../route.ts'

/** What a browser sees that opens an invitation; a wallet reads the link itself and never asks. */
export const invitationLinkRoute: Route = defineRawRoute({
  method: 'GET',
  path: '/i/{id}',
  operationId: 'openInvitation',
  summary: 'Tells what to do with an invitation',
  errors: [],
  raw: {
    contentTypes: [],
    handle: () => ({
      status: 200,
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      },
      body: 'This is an invitation for a wallet. Open the link, or scan its QR code, with your wallet app.\n',
    }),
  },
})
