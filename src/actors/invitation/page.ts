import { createHash } from 'node:crypto'

export type InvitationPage = {
  /** Who invites. */
  readonly label: string
  /** The QR code, as a picture, of the address alone: short, so that a camera reads it from a distance. */
  readonly code: string
  /** The whole invitation, for a wallet on this device. */
  readonly url: string
}

const STYLE = `:root{background:Canvas;color:CanvasText;color-scheme:light dark}
body{font:1.0625rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:28rem;padding:2rem 1.25rem;text-align:center}
h1{font-size:1.375rem;line-height:1.3;overflow-wrap:anywhere}
svg{background:#fff;border-radius:.75rem;display:block;height:auto;margin:1.5rem auto;max-width:20rem;width:100%}
a{border:2px solid;border-radius:.5rem;display:inline-block;font-weight:600;padding:.625rem 1.25rem}`

/** Nothing is loaded and nothing runs; the style is the one text that stands inside. */
const policyFor = (style: string): string => {
  const hash = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

let policy: string | null = null

export const pageHeaders = (): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': (policy ??= policyFor(STYLE)),
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
})

/** An invitation as a browser shows it. */
export const invitationPage = ({ label, code, url }: InvitationPage): string => {
  const title = label === '' ? 'Invitation' : `Invitation from ${escaped(label)}`
  return page(
    title,
    `<p>Scan this code with your wallet app to connect.</p>
${code.replace('<svg ', '<svg role="img" aria-label="QR code of the invitation" ')}
<p>Is your wallet on this device?</p>
<p><a href="${escaped(deepLink(url))}">Open in the wallet</a></p>`,
  )
}

/** What stands there once the one holder whom an invitation is for has come. */
export const usedInvitationPage = (): string =>
  page('This invitation has been used', '<p>It was for one wallet. Ask for a new one to connect another.</p>')

/** Of an address at which nothing is, or the invitation of one app to the mediator, which that opens without asking here. */
export const noInvitationPage = (): string =>
  page(
    'There is no invitation here',
    '<p>It may not be open any more, or be for one app alone. Ask whoever sent it for another one.</p>',
  )

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

/** Wallets are opened by this scheme (RFC 0434), with the address as it is otherwise. */
const deepLink = (url: string): string => url.replace(/^https?:/, 'didcomm:')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
