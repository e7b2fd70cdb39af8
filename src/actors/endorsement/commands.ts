import type { Refused } from '../../domain/decider.ts'
import type { Callers } from '../../http/callers/caller.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { endorsement, type EndorsementRecord, noSuchEndorsement } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

/** `reason` is null for an approval. */
export const decideEndorsement = async (
  { actors, runtime }: Ports,
  operator: Callers['operator'],
  id: string,
  reason: string | null,
): Promise<EndorsementRecord | Refused> => {
  const ref = endorsement.find(id)
  if (ref === null) return noSuchEndorsement
  const by = operator.isLocal === true ? 'local' : operator.operatorId
  const at = { atMs: runtime.now(), by }
  const command =
    reason === null
      ? ({ type: 'ApproveEndorsement', ...at } as const)
      : ({ type: 'RefuseEndorsement', ...at, reason } as const)
  return actors.ask(ref, command, { commandId: `decide:${runtime.newId()}`, tenant: null })
}
