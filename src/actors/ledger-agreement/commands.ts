import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { Callers } from '../../http/callers/caller.ts'
import type { LedgerAcceptance, LedgerAgreement } from '../../ports/ledger.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { type Accepted, theLedgerAgreement } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'ledger'>

/** The agreement of the ledger as it is now, and what was accepted last. */
export type ShownAgreement = {
  readonly agreement: LedgerAgreement | null
  readonly accepted: Accepted | null
}

export const readAgreement = async ({ actors, ledger }: Ports): Promise<ShownAgreement> => {
  const [agreement, found] = await Promise.all([ledger.readAgreement(), actors.read(theLedgerAgreement)])
  return { agreement, accepted: isRefused(found) ? null : found.accepted }
}

/** Of the text that was shown, which the digest says; what the ledger has meanwhile has to be shown first. */
export const acceptAgreement = async (
  ports: Ports,
  operator: Callers['operator'],
  { digest, mechanism }: { readonly digest: string; readonly mechanism: string },
): Promise<ShownAgreement | Refused> => {
  const { actors, runtime, ledger } = ports
  const agreement = await ledger.readAgreement()
  if (agreement === null) return refuse('not_found', 'The ledger has no agreement to accept.')
  if (agreement.digest !== digest)
    return refuse('agreement_outdated', 'The ledger has another agreement by now: read that one first.')
  if (!Object.hasOwn(agreement.mechanisms, mechanism))
    return refuse(
      'invalid_request',
      `mechanism must be one that the ledger has: ${Object.keys(agreement.mechanisms).join(', ').slice(0, 300)}.`,
    )
  const by = operator.isLocal === true ? 'local' : operator.operatorId
  const { version } = agreement
  const atMs = runtime.now()
  const command = { type: 'AcceptLedgerAgreement', digest, version, mechanism, by, atMs } as const
  const options = { commandId: `accept:${runtime.newId()}`, tenant: null }
  const state = await actors.ask(theLedgerAgreement, command, options)
  return isRefused(state) ? state : { agreement, accepted: state.accepted }
}

/** For those who write to the ledger. */
export const acceptedAgreement =
  ({ actors }: Pick<ApiPorts, 'actors'>) =>
  async (): Promise<LedgerAcceptance | null> => {
    const found = await actors.read(theLedgerAgreement)
    if (isRefused(found) || found.accepted === null) return null
    const { digest, mechanism, atMs } = found.accepted
    return { digest, mechanism, acceptedAtMs: atMs }
  }
