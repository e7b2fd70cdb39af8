import { hash } from 'node:crypto'
import { BODY_LIFE_MS, type BodyReference } from '../domain/body-reference.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { Runtime } from '../ports/runtime.ts'
import { KeyGone, KeyLost, KeyUnknown, type RecordSeal, type Vault } from '../ports/vault.ts'

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

type HowKept = {
  readonly lifeMs?: number
  /** Whose text it is, where another record keeps it; it ends with the key of that one. */
  readonly of?: string
  /** By which its record names it already: one that is put while others are deleted would go with them. */
  readonly id?: string
}

/** Seals a text under the data key of its record and keeps it: what this resolves to may stand in an event. */
export const keepBody = async (
  { bodies, vault, runtime }: Omit<BodyPorts, 'vault'> & { readonly vault: Pick<Vault, 'open'> },
  record: string,
  text: string,
  { lifeMs = BODY_LIFE_MS, of = record, id = runtime.newId() }: HowKept = {},
): Promise<BodyReference> => {
  const seal = await vault.open(of)
  const sealed = seal.seal(text, contextOf(id))
  await bodies.put(record, id, sealed, runtime.now() + lifeMs, text)
  return { id, hash: hashOf(sealed) }
}

/** Null when the record whose text it is was erased, or its key is lost, or it names none. */
export const openBody = async (
  { bodies, vault }: Pick<BodyPorts, 'bodies'> & { readonly vault: Pick<Vault, 'open' | 'openElsewhere'> },
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
  if (sealed !== null && hashOf(sealed) === reference.hash) {
    const context = contextOf(reference.id)
    try {
      return seal.open(sealed, context)
    } catch (error) {
      // The node that kept it may have made the record another key since this one has read its keys.
      if (!(error instanceof KeyUnknown)) throw error
      return (await vault.openElsewhere(of)).open(sealed, context)
    }
  }
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
