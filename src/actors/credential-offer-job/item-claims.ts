import { hash } from 'node:crypto'
import { newExchangeId } from '../connection/for-exchanges.ts'
import { OFFER_PATH } from '../credential/offer-body.ts'
import { credential } from '../credential/rules.ts'
import type { KeyedRequest } from '../idempotency-claim/open-claim.ts'
import { CLAIM_LIFETIME_MS } from '../idempotency-claim/rules.ts'
import type { WaitingItem } from './waiting-item.ts'

/** Half of what a claim lasts, so that it does not matter by whose clock it was made. */
const CLAIMS_COUNT_MS = CLAIM_LIFETIME_MS / 2

/** Of what makes the id of an exchange unique. */
const ID_CHARACTERS = 32

/** Whether a key that the job has claimed some time since it began may be free again by now. */
export const areClaimsOver = (createdAtMs: number, nowMs: number): boolean =>
  nowMs >= createdAtMs + CLAIMS_COUNT_MS

/** The request for one that an item is, by whose claim there is one exchange whichever of them comes first. */
export const keyedRequest = (tenant: string, [key, , fingerprint]: WaitingItem): KeyedRequest => ({
  tenant,
  method: 'POST',
  path: OFFER_PATH,
  key,
  fingerprint,
})

/** The same for every attempt: also where the claim of an earlier one is over, there is one exchange. */
export const recordIdOf = (job: string, index: number, connectionId: string): string => {
  const newId = (): string => hash('sha256', `${job} ${index}`).slice(0, ID_CHARACTERS)
  return newExchangeId(credential, connectionId, { newId })
}
