import { hash } from 'node:crypto'
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
import { sealReasons } from './reasons.ts'
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

/** Of what makes the id of an exchange unique. */
const ID_CHARACTERS = 32
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
 * Offers the items of one wave that have no result yet, each as a request for it alone would. What fails for now is tried
 * again; what has become of the others is noted before that, because claims do not last for ever.
 */
export const offerWave = async (
  ports: Ports,
  { job: { tenant, createdAtMs }, wave, done }: OfferJobEffect,
  { actor: job, signal }: Pick<EffectContext, 'actor' | 'signal'>,
): Promise<OfferJobCommand> => {
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) throw new ComesAgain(active.reason, SUSPENDED_LOOK_MS)
  const items = await itemsOf(ports, job, wave.body, createdAtMs)
  const left = [...wave.indexes.entries()].filter(([, index]) => !done.includes(index))
  const settled = await Promise.allSettled(
    left.map(async ([at, index]): Promise<readonly [number, Outcome]> => {
      const item = items?.[at]
      return [index, item === undefined ? GONE : await offerItem(ports, { tenant, job, index, signal }, item)]
    }),
  )
  const known = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed !== undefined && known.length === 0) throw failed.reason
  const results = known.map(
    ([index, outcome]): ItemResult =>
      outcome.credentialId === null ? [index, null, outcome.error] : [index, outcome.credentialId, null],
  )
  const refused = known.flatMap(([index, outcome]) =>
    outcome.credentialId === null ? [[String(index), outcome.reason] as const] : [],
  )
  const sealedReasons = await sealReasons(ports, job, tenant, Object.fromEntries(refused))
  const atMs = Math.floor(ports.runtime.now())
  return { type: 'RecordWaveOffered', atMs, wave: wave.number, results, sealedReasons }
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

type Place = {
  readonly tenant: string
  readonly job: string
  readonly index: number
  readonly signal: AbortSignal
}

const offerItem = async (
  ports: Ports,
  { tenant, job, index, signal }: Place,
  [key, canonicalBody]: WaitingItem,
): Promise<Outcome> => {
  const sent = JSON.parse(canonicalBody) as SentOffer
  const { connectionId, credentialDefinitionId, attributes, externalId = null } = sent
  const request = { tenant, method: 'POST', path: OFFER_PATH, key, canonicalBody }
  // The same for every attempt: also where the claim of an earlier one is over, there is one exchange.
  const newId = (): string => hash('sha256', `${job} ${index}`).slice(0, ID_CHARACTERS)
  const newRecordId = (): string => newExchangeId(credential, connectionId, { newId })
  const claim = await claimed(ports, request, newRecordId, signal)
  if (claim.is !== 'claimed') return REUSED
  const { recordId: id } = claim
  const isMade = async (): Promise<boolean> => (await ownRecord(ports, credential, tenant, id)) !== null
  try {
    if (!claim.isNew && (await isMade())) return { credentialId: id }
    const offer = { tenant, id, connectionId, credentialDefinitionId, attributes, externalId }
    const offered = await offerWithoutImage(ports, offer)
    // What was made before stays made, whatever has changed since.
    if (!isRefused(offered) || (await isMade())) return { credentialId: id }
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
  signal: AbortSignal,
): Promise<Exclude<OpenClaim, { is: 'in-progress' }>> => {
  for (let look = 0; look < BUSY_LOOKS; look++) {
    const claim = await claimOpenly(ports, request, newRecordId)
    if (claim.is !== 'in-progress') return claim
    await ports.runtime.sleep(BUSY_LOOK_MS, signal)
  }
  throw new ComesAgain('a request for one of the offers is under way', BUSY_LOOK_MS)
}
