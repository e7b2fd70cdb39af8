import { createHash, hash, randomBytes } from 'node:crypto'
import type { KindTypes } from '../domain/decider.ts'
import { actorId, type Ref, type References } from '../domain/references.ts'
import type { Runtime } from '../ports/runtime.ts'

/** The shard comes from the id's own chance, so that records spread evenly. */
export const newRecordId = (prefix: string, { newId }: Pick<Runtime, 'newId'>): string => {
  const unique = newId()
  return actorId(prefix, Number.parseInt(hash('sha256', unique).slice(0, 2), 16), unique)
}

export const newRef = <Of extends KindTypes>(
  references: References<Of>,
  runtime: Pick<Runtime, 'newId'>,
): Ref<Of> => references.ref(newRecordId(references.prefix, runtime))

/** The same text gives the same id: what exists is found again, not made twice. */
export const refOfText = <Of extends KindTypes>(
  references: References<Of>,
  text: string,
  uniqueBytes = 16,
): Ref<Of> => {
  const digest = createHash('sha256').update(text).digest()
  return references.newRef(digest[0] ?? 0, digest.subarray(1, 1 + uniqueBytes).toString('hex'))
}

export const refOfNames = <Of extends KindTypes>(
  references: References<Of>,
  names: readonly unknown[],
): Ref<Of> => refOfText(references, JSON.stringify(names))

const NONCE_BYTES = 10

/** AnonCreds has nonces of 80 bits as decimal text. */
export const newNonce = (): string => BigInt(`0x${randomBytes(NONCE_BYTES).toString('hex')}`).toString()
