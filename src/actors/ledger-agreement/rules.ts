import { type Decider, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { referencesTo } from '../../domain/references.ts'

/** What an operator accepted last. */
export type Accepted = {
  readonly digest: string
  readonly version: string
  readonly mechanism: string
  /** The account of the operator; `local` for the command line of the machine. */
  readonly by: string
  readonly atMs: number
}

export type LedgerAgreementCommand = { readonly type: 'AcceptLedgerAgreement' } & Accepted
export type LedgerAgreementEvent = { readonly type: 'LedgerAgreementAccepted' } & Accepted
type State = { readonly accepted: Accepted | null }

export type LedgerAgreementTypes = {
  readonly state: State
  readonly command: LedgerAgreementCommand
  readonly event: LedgerAgreementEvent
  readonly reply: State
  readonly views: { readonly record: State }
  readonly owed: never
}

export const ledgerAgreement = referencesTo<LedgerAgreementTypes>('taa')

/** There is one for the whole service. */
export const theLedgerAgreement = ledgerAgreement.ref('taa_00agreement')

export const ledgerAgreementDecider: Decider<LedgerAgreementTypes> = {
  initialState: { accepted: null },
  decide: ({ accepted }, command) =>
    accepted?.digest === command.digest && accepted.mechanism === command.mechanism
      ? NOTHING_HAPPENS
      : [{ ...command, type: 'LedgerAgreementAccepted' }],
  evolve: (_, { type: _type, ...accepted }) => ({ accepted }),
  reply: (state) => state,
  views: { record: (state) => state },
}
