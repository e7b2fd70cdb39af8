import { isRefused, type Refused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import { ComesAgain } from '../../host/effects/not-begun.ts'
import { ActorFailed } from '../../ports/actors.ts'
import { KeyGone, KeyLost } from '../../ports/vault.ts'
import { BodyMissing, openBody } from '../bodies.ts'
import { newExchangeId } from '../connection/for-exchanges.ts'
import { OFFER_PATH } from '../credential/offer-body.ts'
import { offerWithoutImage } from '../credential/offer.ts'
import { credential } from '../credential/rules.ts'
import { claimOpenly, type KeyedRequest, type OpenClaim } from '../idempotency-claim/open-claim.ts'
import type { KindPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { activeTenant } from '../tenant/read.ts'
import {
  ITEM_ERRORS,
  ITEMS_LIFE_MS,
  type ItemError,
  type ItemResult,
  type OfferJobCommand,
  type OfferJobEffect,
} from './rules.ts'
import type { SentOffer, WaitingItem } from './sent-offers.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime' | 'vault' | 'bodies' | 'catalogue' | 'newNonce'>

/** How often the job of a suspended organisation looks whether it is so still. */
const SUSPENDED_LOOK_MS = 30_000

type Outcome =
  | { readonly credentialId: string }
  | { readonly credentialId: null; readonly error: ItemError; readonly reason: string }

const refusedFor = (error: ItemError, reason: string): Outcome => ({ credentialId: null, error, reason })

const REUSED = refusedFor(
  'idempotency_key_reused',
  'This idempotencyKey was used with another offer; a new one needs a new key.',
)
const GONE = refusedFor('record_erased', 'What the item says is not kept any more.')
const FAILED = refusedFor(
  'internal',
  'Something went wrong on our side; send the item again, and ask the operator of the service if it happens again.',
)

/**
 * Offers the items of one wave, each as a request for it alone would. What fails for now fails the wave, which is tried
 * again: an item that was offered before finds itself by its claim.
 */
export const offerWave = async (
  ports: Ports,
  { job: { tenant, createdAtMs }, wave }: OfferJobEffect,
  { actor }: Pick<EffectContext, 'actor'>,
): Promise<OfferJobCommand> => {
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) throw new ComesAgain(active.reason, SUSPENDED_LOOK_MS)
  const items = await itemsOf(ports, actor, wave.body, createdAtMs)
  const offered = items?.map((item) => offerItem(ports, tenant, item))
  const settled = await Promise.allSettled(offered ?? wave.indexes.map(async () => GONE))
  const results: ItemResult[] = []
  const reasons: Record<string, string> = {}
  for (const [at, outcome] of settled.entries()) {
    if (outcome.status === 'rejected') throw outcome.reason
    const { value } = outcome
    const index = wave.indexes[at] ?? at
    if (value.credentialId !== null) results.push([index, value.credentialId, null])
    else {
      results.push([index, null, value.error])
      reasons[index] = value.reason
    }
  }
  const atMs = Math.floor(ports.runtime.now())
  const isClean = Object.keys(reasons).length === 0
  return { type: 'RecordWaveOffered', atMs, wave: wave.number, results, reasons: isClean ? null : reasons }
}

/** Null where the key of the job is gone or lost, and where the items have waited for longer than anything is kept. */
const itemsOf = async (
  ports: Ports,
  job: string,
  body: Parameters<typeof openBody>[2],
  createdAtMs: number,
): Promise<readonly WaitingItem[] | null> => {
  try {
    const text = await openBody(ports, job, body)
    return text === null ? null : (JSON.parse(text) as readonly WaitingItem[])
  } catch (error) {
    if (error instanceof BodyMissing && ports.runtime.now() > createdAtMs + ITEMS_LIFE_MS) return null
    throw error
  }
}

const offerItem = async (ports: Ports, tenant: string, [key, canonicalBody]: WaitingItem): Promise<Outcome> => {
  const { connectionId, credentialDefinitionId, attributes, externalId = null } = JSON.parse(
    canonicalBody,
  ) as SentOffer
  const request = { tenant, method: 'POST', path: OFFER_PATH, key, canonicalBody }
  const claim = await claimed(ports, request, () => newExchangeId(credential, connectionId, ports.runtime))
  if (claim.is !== 'claimed') return REUSED
  const { recordId: id } = claim
  try {
    if (!claim.isNew && (await ownRecord(ports, credential, tenant, id)) !== null) return { credentialId: id }
    const offer = { tenant, id, connectionId, credentialDefinitionId, attributes, externalId }
    const offered = await offerWithoutImage(ports, offer)
    if (!isRefused(offered)) return { credentialId: offered.id }
    await claim.release()
    return refusalOf(offered)
  } catch (error) {
    // It would fail again, and hold up all others.
    const isForGood = error instanceof ActorFailed || error instanceof KeyGone || error instanceof KeyLost
    if (isForGood) return FAILED
    throw error
  }
}

/** Suspended since the wave began: the item waits like all others. */
const refusalOf = ({ refused, reason }: Refused): Outcome => {
  if (refused === 'forbidden') throw new ComesAgain(reason, SUSPENDED_LOOK_MS)
  const error = ITEM_ERRORS.find((each) => each === refused)
  return error === undefined ? FAILED : refusedFor(error, reason)
}

/** Whoever holds a key lets go of it soon, or is found to be dead. */
const BUSY_LOOKS = 20
const BUSY_LOOK_MS = 250

/** A request for the offer by itself, under the same key, may be under way at this moment. */
const claimed = async (
  ports: Ports,
  request: KeyedRequest,
  newRecordId: () => string,
): Promise<Exclude<OpenClaim, { is: 'in-progress' }>> => {
  for (let look = 0; look < BUSY_LOOKS; look++) {
    const claim = await claimOpenly(ports, request, newRecordId)
    if (claim.is !== 'in-progress') return claim
    await ports.runtime.sleep(BUSY_LOOK_MS)
  }
  throw new ComesAgain('a request for one of the offers is under way', BUSY_LOOK_MS)
}
