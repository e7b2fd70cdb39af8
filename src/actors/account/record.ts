import { type Static, Type } from 'typebox'
import type { AccountRecord, OwnSession, Passkey, Session } from './state.ts'
import {
  isoTime,
  moment,
  momentOrNull,
  recordOf,
  recordTimes,
  words,
  wordsOrNull,
} from '../../http/route/fields.ts'

const role = Type.Unsafe<AccountRecord['role']>({
  type: 'string',
  enum: ['admin', 'viewer', 'operator'],
  description: 'What the account may do: a viewer changes nothing.',
})
const person = {
  id: words('Names the account.', 'acc_4h6k8m0p2r4t6v8x0z2b4d6f'),
  emailAddress: wordsOrNull(
    'The address that was invited; null once the account is removed.',
    'ada@registry.example',
  ),
  name: wordsOrNull('The name that the person has given.', 'Ada Lovelace'),
  role,
}

export const memberSchema = recordOf('Member', {
  ...person,
  status: Type.Unsafe<AccountRecord['status']>({
    type: 'string',
    enum: ['invited', 'active'],
    description: 'Whether the invitation was taken up.',
    examples: ['active'],
  }),
  invitationExpiresAt: momentOrNull('Until when the link of the invitation is good.'),
  ...recordTimes,
})

export const memberView = (id: string, account: AccountRecord): Static<typeof memberSchema> => ({
  id,
  emailAddress: account.private?.emailAddress ?? null,
  name: account.private?.name ?? null,
  role: account.role,
  status: account.status,
  invitationExpiresAt: account.invitation === null ? null : isoTime(account.invitation.expiresAtMs),
  createdAt: isoTime(account.createdAtMs),
  updatedAt: isoTime(account.updatedAtMs),
})

export const sessionSchema = recordOf('Session', {
  id: words('Names the session.', 'ses_6m8p0r2t4v6x8z0b2d4f6h8k'),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  createdAt: moment('When the person signed in.'),
  expiresAt: moment('When it ends, whatever happens in it.'),
  steppedUpAt: moment('When the second factor was shown last.'),
  address: wordsOrNull('Where it was opened from.', '203.0.113.7'),
  userAgent: wordsOrNull('What opened it, as it calls itself.', 'Mozilla/5.0'),
})

export const sessionView = (session: Session, currentId: string): Static<typeof sessionSchema> => ({
  id: session.id,
  current: session.id === currentId,
  createdAt: isoTime(session.openedAtMs),
  expiresAt: isoTime(session.expiresAtMs),
  steppedUpAt: isoTime(session.steppedUpAtMs),
  address: session.address,
  userAgent: session.userAgent,
})

export const signedInSchema = recordOf('SignedIn', {
  account: recordOf('Account', {
    ...person,
    organisation: wordsOrNull('The organisation; null for operators.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
    recoveryCodesLeft: Type.Integer({
      minimum: 0,
      description: 'How many recovery codes were not used yet.',
      examples: [10],
    }),
  }),
  session: sessionSchema,
})

export const signedInView = ({
  accountId: id,
  account,
  session,
}: OwnSession): Static<typeof signedInSchema> => ({
  account: {
    id,
    emailAddress: account.private?.emailAddress ?? null,
    name: account.private?.name ?? null,
    role: account.role,
    organisation: account.organisation,
    recoveryCodesLeft: account.private?.recoveryHashes.length ?? 0,
  },
  session: sessionView(session, session.id),
})

export const passkeySchema = recordOf('Passkey', {
  id: words('Names the passkey.', 'dGhpcyBpcyBhIHBhc3NrZXk'),
  label: words('What its owner calls it.', 'Laptop'),
  createdAt: moment('When it was added.'),
  lastUsedAt: momentOrNull('When it was used last.'),
})

export const passkeyView = ({
  id,
  label,
  addedAtMs,
  lastUsedAtMs,
}: Passkey): Static<typeof passkeySchema> => ({
  id,
  label,
  createdAt: isoTime(addedAtMs),
  lastUsedAt: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
})
