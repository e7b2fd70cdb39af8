import { randomBytes } from 'node:crypto'
import type { JsonText, OfferInput } from '../ports/anoncreds.ts'

const NONCE_BYTES = 10

/** An offer is data and a fresh nonce; no key is involved. */
export const createOffer = (input: OfferInput): JsonText => {
  const keyCorrectnessProof: unknown = JSON.parse(input.keyCorrectnessProof)
  return JSON.stringify({
    schema_id: input.schemaId,
    cred_def_id: input.credentialDefinitionId,
    key_correctness_proof: keyCorrectnessProof,
    nonce: BigInt(`0x${randomBytes(NONCE_BYTES).toString('hex')}`).toString(),
  })
}
