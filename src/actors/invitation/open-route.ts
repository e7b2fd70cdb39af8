import { isRefused } from '../../domain/decider.ts'
import { problem, type Problem } from '../../http/route/problem.ts'
import { defineRawRoute, type RawRequest, type Route } from '../../http/route/route.ts'
import type { Reply } from '../../http/server/server.ts'
import { type InvitationPorts, wholeInvitation } from './create.ts'
import { invitationPage, pageHeaders, usedInvitationPage } from './page.ts'
import { invitation } from './rules.ts'

type Ports = Pick<InvitationPorts, 'actors' | 'publicUrl'>

/** What is shown depends on what was asked for, and an invitation may be used up at any time. */
const ALWAYS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Vary: 'Accept' }

/**
 * The address of an invitation: a page with its QR code for a browser, and for a wallet that has but the short address the
 * way to the whole invitation (RFC 0434). What the address holds behind the question mark is never shown: anybody could
 * have written it.
 */
export const openInvitationRoute = (ports: Ports): Route =>
  defineRawRoute({
    method: 'GET',
    path: '/i/{id}',
    operationId: 'openInvitation',
    summary: 'Shows an invitation, or leads a wallet to it',
    errors: ['not_found'],
    raw: { contentTypes: [], handle: (request) => open(ports, request) },
  })

const open = async (ports: Ports, { params: { id = '' }, head }: RawRequest): Promise<Reply | Problem> => {
  const ref = invitation.find(id)
  const record = ref === null ? null : await ports.actors.read(ref)
  if (ref === null || record === null || isRefused(record) || record.ownSeed === null)
    return problem('not_found', 'There is no such invitation.')
  const { winner, multiUse } = record
  const { message, address, url } = wholeInvitation(ports, ref, record)
  if (isBrowser(head.headers.get('accept'))) {
    const isUsed = !multiUse && winner !== null
    const body = isUsed ? usedInvitationPage() : invitationPage({ label: message.label, address, url })
    return { status: 200, headers: { ...ALWAYS, ...pageHeaders() }, body }
  }
  if (/(?:^|&)oob=/.test(head.query))
    return {
      status: 200,
      headers: { ...ALWAYS, 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' },
      body: JSON.stringify(message),
    }
  return { status: 302, headers: { ...ALWAYS, Location: url }, body: '' }
}

/** Wallets ask for JSON, or for anything. */
const isBrowser = (accept: string | undefined): boolean => accept?.includes('text/html') === true
