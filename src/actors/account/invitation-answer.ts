import type { Caller } from '../../http/callers/caller.ts'
import { isoTime, momentOrNull, recordOf, wordsOrNull } from '../../http/route/fields.ts'
import type { Idempotency } from '../../http/route/idempotency.ts'
import type { Realm } from '../roster/rules.ts'
import type { AccountPorts } from './ask-account.ts'
import { type InvitedMember, type Member, newInvitationId, readInvited } from './members.ts'
import { memberSchema, memberView } from './record.ts'
import { emailAddress } from './sent-fields.ts'

export const invitedAddress = emailAddress('Whom to invite; the link is shown to you, nothing is sent.')

export const memberWithLink = recordOf('MemberWithLink', {
  ...memberSchema.properties,
  invitationLink: wordsOrNull(
    'To be given to whom it is for; shown in this answer alone, and null when it comes again.',
    'https://vouchsafe.example/console/invitation#…',
  ),
  linkExpiresAt: momentOrNull('Until when the link is good; null once it was taken up.'),
})

/** Fields of a person that are no personal data, and what is left of a person who was removed. */
export const NOT_PERSONAL = ['id', 'role', 'status', 'invitationExpiresAt', 'createdAt', 'updatedAt']
export const GONE = { emailAddress: null, name: null }

type Asked = { readonly caller: Caller; readonly params: Readonly<Record<string, string>> }

/** An invitation under an Idempotency-Key; `realmOf`: whither the request invites. */
export const invitationAgain = (
  ports: AccountPorts,
  realmOf: (request: Asked) => Realm,
): Idempotency<unknown> => ({
  newRecordId: (request) => newInvitationId(realmOf(request), ports.runtime),
  showRecord: async (_, order, request) => {
    const { emailAddress: address } = request.body as { readonly emailAddress: string }
    const found = await readInvited(ports, realmOf(request), order, address)
    return found === null ? GONE : viewOf(found)
  },
  storedFields: [...NOT_PERSONAL, 'linkExpiresAt'],
  secretFields: ['invitationLink'],
})

export const viewOf = (member: Member) => memberView(member.id, member.account)

export const withLink = ({ link: invitationLink, expiresAtMs, ...member }: InvitedMember) => ({
  ...viewOf(member),
  invitationLink,
  linkExpiresAt: expiresAtMs === null ? null : isoTime(expiresAtMs),
})
