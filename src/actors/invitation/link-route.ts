import { fixedTextRoute } from '../../http/routes/fixed-text.ts'

/** What a browser sees that opens an invitation; a wallet reads the link itself and never asks. */
export const invitationLinkRoute = fixedTextRoute({
  path: '/i/{id}',
  operationId: 'openInvitation',
  summary: 'Tells what to do with an invitation',
  headers: { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' },
  body: 'This is an invitation for a wallet. Open the link, or scan its QR code, with your wallet app.\n',
})
