import { createHash } from 'node:crypto'
import { isRefused } from '../../domain/decider.ts'
import { namesTag } from '../../http/front-door/compressed-reply.ts'
import { problem, type Problem } from '../../http/route/problem.ts'
import { defineRawRoute, type RawRequest, type Route } from '../../http/route/route.ts'
import type { Reply } from '../../http/server/server.ts'
import { type InvitationPorts, wholeInvitation } from './create.ts'
import { DrawnCodes } from './drawn-codes.ts'
import { isNavigation, NAVIGATION_HEADERS } from './navigation.ts'
import { invitationPage, noInvitationPage, pageHeaders, usedInvitationPage } from './page.ts'
import { invitation } from './rules.ts'

type Ports = Pick<InvitationPorts, 'actors' | 'publicUrl'>

/** An invitation may be used up at any time, and what is shown depends on who asks. */
const ALWAYS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Vary: NAVIGATION_HEADERS }

/**
 * The address of an invitation: a page with its QR code for a browser, and for a wallet that has but the short address the
 * way to the whole invitation (RFC 0434). What the address holds behind the question mark is never shown: anybody could
 * have written it.
 */
export const openInvitationRoute = (ports: Ports, codes = new DrawnCodes()): Route =>
  defineRawRoute({
    method: 'GET',
    path: '/i/{id}',
    operationId: 'openInvitation',
    summary: 'Shows an invitation, or leads a wallet to it',
    errors: ['not_found'],
    raw: { contentTypes: [], handle: (request) => open(ports, codes, request) },
  })

const open = async (
  ports: Ports,
  codes: DrawnCodes,
  { params: { id = '' }, head }: RawRequest,
): Promise<Reply | Problem> => {
  const isPerson = isNavigation(head)
  const ref = invitation.find(id)
  const record = ref === null ? null : await ports.actors.read(ref)
  if (ref === null || record === null || isRefused(record) || record.ownSeed === null)
    return isPerson
      ? pageReply(404, noInvitationPage())
      : problem('not_found', 'There is no such invitation.')
  const { winner, multiUse } = record
  const { message, address, url } = wholeInvitation(ports, ref, record)
  if (isPerson) {
    if (!multiUse && winner !== null) return pageReply(200, usedInvitationPage())
    const shown = pageReply(200, invitationPage({ label: message.label, code: codes.of(address), url }))
    return multiUse ? askedAgain(shown, head.headers.get('if-none-match')) : shown
  }
  if (/(?:^|&)oob=/.test(head.query))
    return {
      status: 200,
      headers: { ...ALWAYS, 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' },
      body: JSON.stringify(message),
    }
  return { status: 302, headers: { ...ALWAYS, Location: url }, body: '' }
}

type PageReply = Reply & { readonly body: string }

const pageReply = (status: number, body: string): PageReply => ({
  status,
  headers: { ...ALWAYS, ...pageHeaders() },
  body,
})

/**
 * The page of an invitation for many may be kept, and is asked for again before it is shown: the invitation ends with its
 * organisation. One for one holder is used up at any time, so no copy of its page may be kept at all.
 */
const askedAgain = ({ status, headers, body }: PageReply, known: string | undefined): Reply => {
  const ETag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const kept = { ...headers, 'Cache-Control': 'no-cache', ETag }
  return namesTag(known, ETag) ? { status: 304, headers: kept, body: '' } : { status, headers: kept, body }
}
