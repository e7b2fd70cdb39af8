import type { Static } from 'typebox'
import type { WalletRecord } from './rules.ts'
import { isoTime, momentOrNull, recordOf, recordTimes, words, wordsOrNull } from '../../http/route/fields.ts'

const fields = {
  id: words('Names the wallet.', 'wal_9k2m4p6r8t1v3x5z7b9d1f3h'),
  installationId: words('The UUID that the app made once.', '3f2b8c1e-6a4d-4b7e-9f10-2c5d8e7a6b43'),
  externalId: wordsOrNull('Your own name for it.', 'customer-1042'),
  status: words('pending until the app has connected, then active; revoked is for ever.', 'active'),
  connectedAt: momentOrNull('When the app connected to the mediator first.'),
  lastSeenAt: momentOrNull('When the app was there last, to a quarter of an hour.'),
  revokedAt: momentOrNull('When it was revoked.'),
  revokedBy: wordsOrNull('Who revoked it: tenant, or never_connected for the service after 7 days.', null),
  ...recordTimes,
}

export const walletSchema = recordOf('Wallet', fields)
export const walletWithTokenSchema = recordOf('WalletWithToken', {
  ...fields,
  walletToken: words('For the app; shown in this answer alone.', 'svc_wt_…'),
})

export const walletView = (id: string, record: WalletRecord): Static<typeof walletSchema> => ({
  id,
  installationId: record.installationId,
  externalId: record.externalId,
  status: record.status,
  connectedAt: record.connectedAtMs === undefined ? null : isoTime(record.connectedAtMs),
  lastSeenAt: record.lastSeenAtMs === undefined ? null : isoTime(record.lastSeenAtMs),
  revokedAt: record.revokedAtMs === null ? null : isoTime(record.revokedAtMs),
  revokedBy: record.revokedBy,
  createdAt: isoTime(record.createdAtMs),
  updatedAt: isoTime(record.updatedAtMs),
})
