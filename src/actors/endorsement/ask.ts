import { refOfNames } from '../ids.ts'
import type { KindPorts } from '../kind-ports.ts'
import { type EndorsedRecord, endorsement } from './rules.ts'

/** Opens the question to the operators, once for each attempt of a record. */
export const askForEndorsement = async (
  { actors, runtime }: Pick<KindPorts, 'actors' | 'runtime'>,
  asked: EndorsedRecord,
): Promise<void> => {
  const ref = refOfNames(endorsement, [asked.recordId, asked.attempt])
  const command = { type: 'OpenEndorsement', atMs: runtime.now(), ...asked } as const
  await actors.ask(ref, command, { commandId: `open:${ref}`, tenant: null })
}
