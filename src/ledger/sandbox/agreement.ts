import { createHash } from 'node:crypto'
import type { Placed, Written } from './placed.ts'
import { malformed, notAccepted } from './refused-request.ts'
import { TRANSACTION_TYPE } from './transactions.ts'

/** What authors have to accept before they write; Indy calls it the transaction author agreement. */
export type Agreement = Placed & {
  readonly text: string
  readonly version: string
  readonly digest: string
  readonly mechanisms: readonly string[]
}

const DAY_SECONDS = 86_400

export const agreementOf = (
  data: Readonly<Record<string, unknown>>,
  placed: Placed,
  { mechanisms }: { readonly mechanisms: Written | null },
): Agreement => {
  const [text, version] = [String(data['text']), String(data['version'])]
  const digest = createHash('sha256').update(version).update(text).digest('hex')
  return { ...placed, text, version, digest, mechanisms: Object.keys(mechanisms?.data['aml'] ?? {}) }
}

const UNDER_AGREEMENT: readonly string[] = [
  TRANSACTION_TYPE.NYM,
  TRANSACTION_TYPE.ATTRIB,
  TRANSACTION_TYPE.SCHEMA,
  TRANSACTION_TYPE.CLAIM_DEF,
]

/** What trustees write about the network itself needs none. */
export const isUnderAgreement = (type: string): boolean => UNDER_AGREEMENT.includes(type)

type Acceptance = { readonly taaDigest?: unknown; readonly mechanism?: unknown; readonly time?: unknown }

/** In the words of an Indy node. */
export const demandAcceptance = (given: unknown, agreement: Agreement | null, nowMs: number): void => {
  if (agreement === null) {
    if (given !== null)
      throw notAccepted('Txn Author Agreement acceptance has not been set yet and not allowed in requests')
    return
  }
  if (given === null) throw notAccepted('Txn Author Agreement acceptance is required for ledger with id 1')
  if (typeof given !== 'object') throw malformed('taaAcceptance must be an object')
  const { taaDigest, mechanism, time } = given as Acceptance
  if (taaDigest !== agreement.digest)
    throw notAccepted(`Incorrect Txn Author Agreement(digest=${String(taaDigest)}) in the request`)
  if (!agreement.mechanisms.includes(String(mechanism)))
    throw notAccepted(
      `Txn Author Agreement acceptance mechanism is inappropriate: provided ${String(mechanism)}, expected one of ${agreement.mechanisms.join(', ')}`,
    )
  const first = Math.floor(agreement.txnTime / DAY_SECONDS) * DAY_SECONDS
  if (typeof time !== 'number' || time % DAY_SECONDS !== 0)
    throw notAccepted(
      `Txn Author Agreement acceptance time ${String(time)} is too precise and is a privacy risk.`,
    )
  if (time < first || time > nowMs / 1_000 + DAY_SECONDS)
    throw notAccepted(`Txn Author Agreement acceptance time is inappropriate: provided ${time}`)
}
