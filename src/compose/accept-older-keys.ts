import { tenant } from '../actors/tenant/rules.ts'
import { kindOf, SHARD_COUNT } from '../domain/references.ts'
import { type AnyActorDefinition, neverErased } from '../host/definition.ts'
import { ActorState } from '../host/state/actor-state.ts'
import { walkActors, walkLog } from '../persistence/journal-walk.ts'
import { entriesOf, type JournalStore } from '../persistence/store-port.ts'
import type { KeyStore } from '../persistence/vault/key-store-port.ts'
import { ErasedSeal } from '../persistence/vault/record-key.ts'
import {
  acceptanceMark,
  checkKeyStore,
  isAcceptanceMark,
  type KeyStoreMemory,
  WrongKeyStore,
} from '../persistence/vault/key-store-mark.ts'
import type { JournalEntry, StoredActor } from '../ports/journal.ts'
import { KeyUnknown, LostSeal, type RecordSeal, type Vault } from '../ports/vault.ts'

export type OlderKeys = {
  readonly journal: JournalStore
  readonly memory: KeyStoreMemory
  readonly keys: KeyStore
  /** Over the same keys. */
  readonly vault: Pick<Vault, 'open' | 'erase' | 'eraseTenant'>
  /** Where the keys are, for the operator. */
  readonly place: string
  /** Of every kind. */
  readonly definitions: readonly AnyActorDefinition[]
}

export type Accepted = {
  readonly erasedAgain: number
  readonly lost: readonly string[]
  /** Whether they were erased is not known; those that are not lost too keep the keys that they have. */
  readonly unreadable: readonly string[]
}

/**
 * Makes an older key store the journal's own, while no service runs. What was erased since it was made is erased in it
 * again, before anything can read it; what was made since is marked as lost. When it is stopped, it is run again.
 */
export const acceptOlderKeys = async (parts: OlderKeys): Promise<Accepted> => {
  const { memory, keys, vault, place } = parts
  const known = await memory.read()
  const found = await keys.readMark()
  refuseOthers(place, known, found)
  // From here on a start is refused until this has ended, however far the older one has been brought.
  const begun = known === null ? null : acceptanceMark(known)
  if (begun !== null) await memory.record(begun)
  const wasBegun = known !== null && isAcceptanceMark(known)
  const byKind = new Map(parts.definitions.map((definition) => [definition.kind, definition]))
  const lost: string[] = []
  const unreadable: string[] = []
  let erasedAgain = 0
  for await (const stored of storedActors(parts.journal)) {
    const definition = byKind.get(kindOf(stored.actor))
    if (!definition || definition.keyParent === null) continue
    const seal = await sealOf(vault, stored.actor)
    const isTenant = tenant.find(stored.actor) !== null
    if (seal instanceof ErasedSeal) {
      // An earlier run may have been stopped between the key of its record and its own.
      if (isTenant) await vault.eraseTenant(stored.actor)
      continue
    }
    const isErased = await knowsErasure(definition, stored)
    if (isErased === null) unreadable.push(stored.actor)
    if (isErased === true) {
      await (isTenant ? vault.eraseTenant(stored.actor) : vault.erase(stored.actor))
      erasedAgain++
    } else if (seal === null || (wasBegun && seal instanceof LostSeal)) lost.push(stored.actor)
  }
  for (const actor of lost) await keys.markLost(actor)
  if (begun !== null) {
    const now = await keys.countedMark()
    const next = { id: begun.id, count: Math.max(now?.count ?? 0, begun.count) + 1 }
    if (!(await keys.setMark(now, next)))
      throw new Error('another process writes to the key store: stop it first')
    await memory.record(next)
  }
  return { erasedAgain, lost, unreadable }
}

/** Only an older one can be accepted; accepting one that is not older changes nothing but what is unknown in it. */
const refuseOthers = (...marks: Parameters<typeof checkKeyStore>): void => {
  try {
    checkKeyStore(...marks)
  } catch (error) {
    if (!(error instanceof WrongKeyStore) || error.is !== 'older') throw error
  }
}

/** Null when nothing is known of the key. */
const sealOf = async (vault: Pick<Vault, 'open'>, actor: string): Promise<RecordSeal | null> => {
  try {
    return await vault.open(actor)
  } catch (error) {
    if (error instanceof KeyUnknown) return null
    throw error
  }
}

type Stored = { readonly actor: string; readonly read: () => Promise<StoredActor> }

/** An erasure shows in clear fields, so it is looked for without the key. Null when the record cannot be read. */
const knowsErasure = async (
  definition: AnyActorDefinition,
  { actor, read }: Stored,
): Promise<boolean | null> => {
  if (definition.erased === neverErased) return false
  const stored = await read()
  try {
    const state = ActorState.recover(definition, actor, stored, new LostSeal(actor))
    return definition.erased(state.committedState)
  } catch {
    return null
  }
}

/** Every actor of the journal, also those whose events are in the log alone. */
async function* storedActors(journal: JournalStore): AsyncGenerator<Stored> {
  for (let shard = 0; shard < SHARD_COUNT; shard++) {
    const uncopied =
      journal.copies === 'atomic' ? new Map<string, JournalEntry[]>() : await uncopiedOf(journal, shard)
    const stored = (actor: string): Stored => ({
      actor,
      read: async () => withEntries(await journal.readActor(actor), uncopied.get(actor) ?? []),
    })
    for await (const actor of walkActors(journal, shard)) {
      yield stored(actor)
      uncopied.delete(actor)
    }
    for (const actor of uncopied.keys()) yield stored(actor)
  }
}

const uncopiedOf = async (journal: JournalStore, shard: number): Promise<Map<string, JournalEntry[]>> => {
  const found = new Map<string, JournalEntry[]>()
  const copiedNo = (await journal.readCheckpoint(shard))?.copiedNo ?? -1
  for await (const slot of walkLog(journal, shard, copiedNo + 1)) {
    for (const entry of entriesOf(slot)) found.set(entry.actor, [...(found.get(entry.actor) ?? []), entry])
  }
  return found
}

const withEntries = ({ snapshot, events }: StoredActor, entries: readonly JournalEntry[]): StoredActor => {
  const last = events.at(-1)?.seq ?? snapshot?.seq ?? 0
  const newer = entries.flatMap(({ seq, commandId, events: texts }) =>
    texts.map((data, index) => ({ seq: seq + index, commandId, data })),
  )
  return { snapshot, events: [...events, ...newer.filter(({ seq }) => seq > last)] }
}
