import type { ShardJournal } from '../../ports/journal.ts'
import { lacksKey, type RecordSeal, type Vault } from '../../ports/vault.ts'
import type { AnyActorDefinition } from '../definition.ts'
import { ActorState } from './actor-state.ts'

/** As everything committed made it. */
export const loadActor = async (
  journal: ShardJournal,
  vault: Vault | null,
  definition: AnyActorDefinition,
  actor: string,
): Promise<ActorState> => {
  const stored = await journal.load(actor)
  const isNew = stored.snapshot === null && stored.events.length === 0
  if (isNew) return new ActorState(definition, actor)
  const recovered = (seal: RecordSeal | null) => ActorState.recover(definition, actor, stored, seal)
  if (definition.keyParent === null || vault === null) return recovered(null)
  // A key that was erased or lost opens everything as null; one that is not known fails the load.
  try {
    return recovered(await vault.open(actor))
  } catch (error) {
    if (!lacksKey(error)) throw error
    // The node that had the record before may have made it another key since this one has read its keys.
    return recovered(await vault.openElsewhere(actor))
  }
}
