import { Type } from 'typebox'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { walletRoutes } from './routes.ts'
import { walletDecider, wallet, type WalletTypes } from './rules.ts'

const issued = { tenant: text, installationId: text, externalId: textOrNull, tokenHash: text }
const revokers = oneOf(['tenant', 'never_connected'])

/** Wallets of installations of the app of an organisation. */
export const walletKind = defineKind<WalletTypes>({
  references: wallet,
  isCopied: true,
  decider: walletDecider,
  ...storedRecord({
    events: {
      WalletCreated: issued,
      WalletTokenRenewed: { tokenHash: text },
      WalletRevoked: { by: revokers },
    },
    records: [
      {
        status: oneOf(['pending', 'revoked']),
        ...issued,
        isTokenRenewed: Type.Boolean(),
        createdAtMs: time,
        updatedAtMs: time,
        revokedAtMs: orNull(time),
        revokedBy: orNull(revokers),
      },
    ],
  }),
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  waitsSince: (state) => (state.status === 'none' ? null : state.createdAtMs),
  onTimer: (_timerId, atMs) => ({ type: 'ExpireWallet', atMs }),
  listed: {
    list: 'wallet',
    row: (record) => {
      const { externalId, installationId } = record
      return rowOfRecord(record, { externalId, texts: [externalId, installationId] })
    },
  },
  routes: walletRoutes,
})
