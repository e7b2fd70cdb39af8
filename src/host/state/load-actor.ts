import type { ShardJournal } from '../../ports/journal.ts'
import type { Vault } from '../../ports/vault.ts'
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
  // A key that was erased or lost opens everything as null; one that is not known fails the load.
  const seal = definition.keyParent === null || vault === null ? null : await vault.open(actor)
  return ActorState.recover(definition, actor, stored, seal)
}
