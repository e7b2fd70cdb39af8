import type { JsonText } from '../../ports/anoncreds.ts'
import type { IssuingDefinition } from '../credential-definition/catalogue.ts'

/** The AnonCreds offer follows from the definition and the nonce, so it is built wherever it is needed. */
export const offerText = (
  issuing: Pick<IssuingDefinition, 'schemaLedgerId' | 'ledgerId' | 'keyCorrectnessProof'>,
  nonce: string,
): JsonText =>
  `{"schema_id":${JSON.stringify(issuing.schemaLedgerId)},"cred_def_id":${JSON.stringify(issuing.ledgerId)},` +
  `"key_correctness_proof":${issuing.keyCorrectnessProof},"nonce":${JSON.stringify(nonce)}}`
