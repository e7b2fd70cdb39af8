import { hash } from 'node:crypto'
import { BODY_LIFE_MS, type BodyReference } from '../domain/body-reference.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { Runtime } from '../ports/runtime.ts'
import { KeyGone, KeyLost, type RecordSeal, type Vault } from '../ports/vault.ts'

export type BodyPorts = {
  readonly bodies: BodyStore
  readonly vault: Vault
  readonly runtime: Runtime
}

/** A body that is owed is not there, or is another than the event named. Trying again helps once it was put back. */
export class BodyMissing extends Error {
  override readonly name = 'BodyMissing'
  constructor(record: string) {
    super(`a body of ${record} is not there as it was written`)
  }
}

/**
 * Seals a text under the data key of its record and keeps it: what this resolves to may stand in an event. `of`: whose text
 * it is, where another record keeps it; it ends with the key of that one.
 */
export const keepBody = async (
  { bodies, vault, runtime }: BodyPorts,
  record: string,
  text: string,
  { lifeMs = BODY_LIFE_MS, of = record }: { readonly lifeMs?: number; readonly of?: string } = {},
): Promise<BodyReference> => {
  const id = runtime.newId()
  const seal = await vault.open(of)
  const sealed = seal.seal(text, contextOf(id))
  await bodies.put(record, id, sealed, runtime.now() + lifeMs, text)
  return { id, hash: hashOf(sealed) }
}

/** Null when the record whose text it is was erased, or its key is lost, or it names none. */
export const openBody = async (
  { bodies, vault }: BodyPorts,
  record: string,
  reference: BodyReference | null,
  of: string = record,
): Promise<string | null> => {
  if (reference === null) return null
  // Another node may have erased what is another record's.
  const seal = await (of === record ? vault.open(record) : vault.openElsewhere(of))
  if (isUnreadable(seal)) return null
  const text = bodies.recall?.(record, reference.id) ?? null
  if (text !== null) return text
  const sealed = await bodies.get(record, reference.id)
  if (sealed !== null && hashOf(sealed) === reference.hash) return seal.open(sealed, contextOf(reference.id))
  if (isUnreadable(seal)) return null
  throw new BodyMissing(record)
}

const hashOf = (sealed: string): string => hash('sha256', sealed, 'base64url')

const contextOf = (id: string): string => `body ${id}`

const isUnreadable = (seal: RecordSeal): boolean => {
  if (seal.gone !== undefined) return seal.gone
  try {
    seal.seal('', '')
    return false
  } catch (error) {
    if (error instanceof KeyGone || error instanceof KeyLost) return true
    throw error
  }
}

/** A message of a holder with a text that is kept as a body before the actor hears of it. */
export class Enclosed<Command, Record> {
  readonly text: string
  /** Of a record that waits for no such message nothing is kept; its answer is the same. */
  readonly isAwaitedBy: (record: Record) => boolean
  readonly isNamedBy: (record: Record, body: BodyReference) => boolean
  readonly commandWith: (body: BodyReference | null) => Command

  constructor(parts: Pick<Enclosed<Command, Record>, 'text' | 'isAwaitedBy' | 'isNamedBy' | 'commandWith'>) {
    this.text = parts.text
    this.isAwaitedBy = parts.isAwaitedBy
    this.isNamedBy = parts.isNamedBy
    this.commandWith = parts.commandWith
  }
}
