import { type Static, Type } from 'typebox'
import type { AuditRecord } from '../../domain/accounts/audit-entry.ts'
import type { AccountRecord, Passkey, Session } from '../../domain/accounts/account-types.ts'
import { dateTime, dateTimeOrNull, exact, isoTime, textOrNull } from './fields.ts'

const role = Type.Unsafe<AccountRecord['role']>({ type: 'string', enum: ['admin', 'viewer', 'operator'] })

export const memberSchema = exact({
  id: Type.String(),
  emailAddress: textOrNull,
  name: textOrNull,
  role,
  status: Type.Unsafe<AccountRecord['status']>({ type: 'string', enum: ['invited', 'active'] }),
  invitationExpiresAt: dateTimeOrNull,
  createdAt: dateTime,
  updatedAt: dateTime,
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

export const sessionSchema = exact({
  id: Type.String(),
  current: Type.Boolean(),
  createdAt: dateTime,
  expiresAt: dateTime,
  steppedUpAt: dateTime,
  address: textOrNull,
  userAgent: textOrNull,
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

export const signedInSchema = exact({
  account: exact({
    id: Type.String(),
    emailAddress: textOrNull,
    name: textOrNull,
    role,
    organisation: textOrNull,
    recoveryCodesLeft: Type.Integer({ minimum: 0 }),
  }),
  session: sessionSchema,
})

export const signedInView = (
  id: string,
  account: AccountRecord,
  session: Session,
): Static<typeof signedInSchema> => ({
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

export const passkeySchema = exact({
  id: Type.String(),
  label: Type.String(),
  createdAt: dateTime,
  lastUsedAt: dateTimeOrNull,
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

export const auditSchema = exact({
  id: Type.String(),
  organisation: textOrNull,
  initiator: Type.Unsafe<AuditRecord['initiator']>({
    type: 'string',
    enum: ['member', 'operator', 'command_line', 'nobody'],
  }),
  initiatorId: textOrNull,
  action: Type.String(),
  targetId: textOrNull,
  outcome: Type.Unsafe<AuditRecord['status']>({
    type: 'string',
    enum: ['open', 'done', 'refused', 'failed'],
  }),
  createdAt: dateTime,
  updatedAt: dateTime,
})

export const auditView = (id: string, entry: AuditRecord): Static<typeof auditSchema> => {
  const { status: outcome, createdAtMs, updatedAtMs, ...facts } = entry
  return { id, ...facts, outcome, createdAt: isoTime(createdAtMs), updatedAt: isoTime(updatedAtMs) }
}
