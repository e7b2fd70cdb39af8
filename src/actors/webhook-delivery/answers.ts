import type { RecordSeal } from '../../ports/vault.ts'
import type { KindPorts } from '../kind-ports.ts'
import type { EventToDeliver } from './rules.ts'

export type AnswerPorts = Pick<KindPorts, 'vault' | 'hasOwnKey'>

/** Whose event was delivered, and which attempt it was: an answer opens nowhere else. */
type Of = {
  readonly delivery: string
  readonly tenant: string
  readonly event: Pick<EventToDeliver, 'recordId'>
  readonly number: number
}

/**
 * What a receiver answers may quote what it was sent, so it counts as personal data of the record and is sealed under
 * that record's key: the erasure of the record takes it along. Null where there is nothing to keep, or nothing to seal it
 * with, as for a record that is erased already.
 */
export const sealAnswer = async (ports: AnswerPorts, of: Of, answer: string): Promise<string | null> => {
  if (answer === '') return null
  try {
    return (await sealOf(ports, of)).seal(answer, contextOf(of))
  } catch {
    // The attempt was made, and must not be made again because its answer cannot be sealed.
    return null
  }
}

/** Null once the record is erased. */
export const openAnswer = async (
  ports: AnswerPorts,
  of: Of,
  sealed: string | null | undefined,
): Promise<string | null> =>
  sealed === null || sealed === undefined ? null : (await sealOf(ports, of)).open(sealed, contextOf(of))

/** Events of what has no key of its own, such as a wallet, have nothing that an erasure would take. */
const sealOf = ({ vault, hasOwnKey }: AnswerPorts, { tenant, event }: Of): Promise<RecordSeal> =>
  hasOwnKey(event.recordId) ? vault.openElsewhere(event.recordId) : vault.openTenant(tenant)

const contextOf = ({ delivery, number }: Of): string => `${delivery} answer ${number}`
