import type { JsonText } from '../anoncreds-port.ts'
import type { IssuingDefinition } from '../catalogue-port.ts'

/** The AnonCreds offer follows from the definition and the nonce, so it is made anew wherever it is needed. */
export const offerText = (issuing: IssuingDefinition, nonce: string): JsonText =>
  JSON.stringify({
    schema_id: issuing.schemaLedgerId,
    cred_def_id: issuing.ledgerId,
    key_correctness_proof: JSON.parse(issuing.keyCorrectnessProof) as unknown,
    nonce,
  })
