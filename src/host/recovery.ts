import { ActorState } from './actor-state.ts'
import type { AnyActorDefinition } from './definition.ts'
import type { ShardJournal } from '../ports/journal.ts'
import type { Vault } from '../ports/vault.ts'

/** The cell as everything committed made it; a new one for an id without events. */
export const recover = async (
  journal: ShardJournal,
  vault: Vault | null,
  definition: AnyActorDefinition,
  actor: string,
): Promise<ActorState> => {
  const stored = await journal.load(actor)
  const isNew = stored.snapshot === null && stored.events.length === 0
  if (isNew) return new ActorState(definition, actor)
  // A key that was erased opens everything as null, so this succeeds for erased actors too.
  const seal = definition.keyParent === null || vault === null ? null : await vault.open(actor)
  return ActorState.recover(definition, actor, stored, seal)
}
