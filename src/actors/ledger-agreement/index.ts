import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { event, orNull, text, time } from '../stored-fields.ts'
import { ledgerAgreementRoutes } from './routes.ts'
import { ledgerAgreement, ledgerAgreementDecider, type LedgerAgreementTypes } from './rules.ts'

const accepted = { digest: text, version: text, mechanism: text, by: text }

/** What an operator has accepted of the ledger's own agreement: one record for the service. */
export const ledgerAgreementKind = defineKind<LedgerAgreementTypes>({
  references: ledgerAgreement,
  // Every write asks for it.
  isCopied: true,
  decider: ledgerAgreementDecider,
  events: eventCodec({
    LedgerAgreementAccepted: { version: 1, schema: event('LedgerAgreementAccepted', accepted) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Object({ accepted: orNull(Type.Object({ ...accepted, atMs: time })) }),
  }),
  routes: ledgerAgreementRoutes,
})
