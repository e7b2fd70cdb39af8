import { Type } from 'typebox'
import {
  type WalletCommand,
  walletDecider,
  type WalletEvent,
  type WalletReply,
  type WalletState,
} from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

export const WALLET = 'wal'

const issued = { tenant: text, installationId: text, externalId: textOrNull, tokenHash: text }
const revokers = oneOf(['tenant', 'never_connected'])

export const walletActor = (): OldActorDefinition<WalletState, WalletCommand, WalletEvent, WalletReply> =>
  defineActor({
    kind: WALLET,
    decider: walletDecider,
    events: eventCodec({
      WalletCreated: { version: 1, schema: event('WalletCreated', issued) },
      WalletTokenRenewed: { version: 1, schema: event('WalletTokenRenewed', { tokenHash: text }) },
      WalletRevoked: { version: 1, schema: event('WalletRevoked', { by: revokers }) },
    }),
    snapshots: codec({
      version: 1,
      schema: Type.Union([
        Type.Object({ status: Type.Literal('none') }),
        Type.Object({
          status: oneOf(['pending', 'revoked']),
          ...issued,
          createdAtMs: time,
          updatedAtMs: time,
          revokedAtMs: orNull(time),
          revokedBy: orNull(revokers),
        }),
      ]),
    }),
    snapshotEvery: 50,
    keyParent: null,
    erased: () => false,
    perform: (effect) => Promise.reject(new Error(`a wallet owes nothing, also not ${effect.kind}`)),
    onTimer: (_timerId, atMs) => ({ type: 'ExpireWallet', atMs }),
  })
