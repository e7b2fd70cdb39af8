import { type Static, Type } from 'typebox'
import type { WalletRecord } from '../../domain/tenants/wallet.ts'
import { dateTime, dateTimeOrNull, exact, isoTime, textOrNull } from './fields.ts'

const fields = {
  id: Type.String(),
  installationId: Type.String(),
  externalId: textOrNull,
  status: Type.String(),
  connectedAt: dateTimeOrNull,
  lastSeenAt: dateTimeOrNull,
  revokedAt: dateTimeOrNull,
  revokedBy: textOrNull,
  createdAt: dateTime,
  updatedAt: dateTime,
}

export const walletSchema = exact(fields)
export const walletWithTokenSchema = exact({ ...fields, walletToken: Type.String() })

export const walletView = (id: string, record: WalletRecord): Static<typeof walletSchema> => ({
  id,
  installationId: record.installationId,
  externalId: record.externalId,
  status: record.status,
  // Known once wallets meet the mediator.
  connectedAt: null,
  lastSeenAt: null,
  revokedAt: record.revokedAtMs === null ? null : isoTime(record.revokedAtMs),
  revokedBy: record.revokedBy,
  createdAt: isoTime(record.createdAtMs),
  updatedAt: isoTime(record.updatedAtMs),
})
