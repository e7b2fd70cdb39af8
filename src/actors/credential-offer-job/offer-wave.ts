import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import { ComesAgain } from '../../host/effects/not-begun.ts'
import { ActorFailed } from '../../ports/actors.ts'
import { KeyGone, KeyLost } from '../../ports/vault.ts'
import { refusalOfConnection } from '../connection/for-exchanges.ts'
import { type OfferedCredential, offerWithoutImage } from '../credential/offer.ts'
import { credential } from '../credential/rules.ts'
import { claimOpenly } from '../idempotency-claim/open-claim.ts'
import type { KindPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { areClaimsOver, keyedRequest, recordIdOf } from './item-claims.ts'
import { checkActive, SUSPENDED_LOOK_MS } from './check-active.ts'
import { keepRest, openItems } from './kept-items.ts'
import { sealReasons } from './reasons.ts'
import {
  ITEM_ERRORS,
  type ItemError,
  type ItemResult,
  type OfferItems,
  type OfferJobCommand,
} from './rules.ts'
import { openItem, type WaitingItem } from './waiting-item.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime' | 'vault' | 'bodies' | 'catalogue' | 'newNonce'>

const BUSY_LOOK_MS = 250

type Outcome =
  | { readonly credentialId: string }
  | { readonly credentialId: null; readonly error: ItemError; readonly reason: string }

const refusedFor = (error: ItemError, reason: string): Outcome => ({ credentialId: null, error, reason })

const REUSED = refusedFor(
  'idempotency_key_reused',
  'This idempotencyKey was used with another offer; a new one needs a new key.',
)
const gone = refuse('record_erased', 'What the item says is not kept any more.')
/** Its connection is there, and what the item says cannot be opened: the key store had lost the key at some time. */
const unreadable = refuse('internal', 'What the item says cannot be read.')
const FAILED = refusedFor(
  'internal',
  'Something went wrong on our side; send the item again, and ask the operator of the service if it happens again.',
)

/**
 * Offers the items of one wave that have no result yet, each as a request for it alone would. What fails for now is set
 * aside, and comes again beside the waves that follow; what has become of the others is noted, because claims do not last
 * for ever.
 */
export const offerWave = async (
  ports: Ports,
  { job: { tenant, createdAtMs }, wave, done, unclaimed }: OfferItems,
  { actor: job }: Pick<EffectContext, 'actor'>,
): Promise<OfferJobCommand> => {
  await checkActive(ports, tenant)
  const left = [...wave.indexes.entries()].filter(([, index]) => !done.includes(index))
  const items = openItems(ports, job, wave, createdAtMs)
  const toClaim = new Set(areClaimsOver(createdAtMs, ports.runtime.now()) ? wave.indexes : unclaimed)
  const settled = await Promise.allSettled(
    left.map(async ([at, index]): Promise<readonly [number, Outcome]> => {
      const item = (await items)?.[at]
      if (item === undefined) return [index, refusalOf(gone)]
      const offer = toClaim.has(index) ? offerItem : offerClaimed
      return [index, await forGood(() => offer(ports, { tenant, job, index }, item))]
    }),
  )
  const known = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed !== undefined && known.length === 0 && wave.isSetAside) throw failed.reason
  const results = known.map(
    ([index, outcome]): ItemResult =>
      outcome.credentialId === null ? [index, null, outcome.error] : [index, outcome.credentialId, null],
  )
  const refused = known.flatMap(([index, outcome]) =>
    outcome.credentialId === null ? [[String(index), outcome.reason] as const] : [],
  )
  const sealedReasons = await sealReasons(ports, job, tenant, Object.fromEntries(refused))
  const over = new Set([...done, ...results.map(([index]) => index)])
  const isKnown = (index: number): boolean => over.has(index)
  // Where they are not to be had for now, nothing is known either, and the wave is set aside as it is.
  const opened = await items.catch(() => null)
  const rest = await keepRest(ports, job, wave, { items: opened, isKnown, createdAtMs })
  const atMs = Math.floor(ports.runtime.now())
  const outcome = { wave: wave.number, results, sealedReasons, ...(rest !== undefined && { rest }) }
  return { type: 'RecordWaveOffered', atMs, ...outcome }
}

type Place = { readonly tenant: string; readonly job: string; readonly index: number }

/**
 * The key has given the exchange this id already, so it is made at once. A refusal counts where the key is this job's at
 * that very moment, so the item comes again for it.
 */
const offerClaimed = async (ports: Ports, place: Place, item: WaitingItem): Promise<Outcome> => {
  const [, connectionId] = item
  const id = recordIdOf(place.job, place.index, connectionId)
  const offered = await offerOf(ports, { ...place, id }, item)
  if (!isRefused(offered)) return { credentialId: id }
  throw new ComesAgain(offered.reason, 0)
}

const offerItem = async (ports: Ports, place: Place, item: WaitingItem): Promise<Outcome> => {
  const { tenant, job, index } = place
  const [, connectionId] = item
  const claim = await claimOpenly(ports, keyedRequest(tenant, item), recordIdOf(job, index, connectionId))
  // A request for the offer by itself is under way at this moment, or was until its process died.
  if (claim.is === 'in-progress') throw new ComesAgain('the offer is under way', BUSY_LOOK_MS)
  if (claim.is !== 'claimed') return REUSED
  const { recordId: id } = claim
  const isMade = async (): Promise<boolean> => (await ownRecord(ports, credential, tenant, id)) !== null
  if (!claim.isNew && (await isMade())) return { credentialId: id }
  const offered = await offerOf(ports, { ...place, id }, item)
  // What was made before stays made, whatever has changed since.
  if (!isRefused(offered) || (await isMade())) return { credentialId: id }
  // Whoever has given another id may yet make the record of it.
  if (claim.isNew) await claim.release()
  return refusalOf(offered)
}

/** What would fail again and again has its result, and holds up no others. */
const forGood = async (offer: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await offer()
  } catch (error) {
    const isForGood = error instanceof ActorFailed || error instanceof KeyGone || error instanceof KeyLost
    if (isForGood) return FAILED
    throw error
  }
}

const offerOf = async (
  ports: Ports,
  { tenant, job, index, id }: Place & { readonly id: string },
  item: WaitingItem,
): Promise<OfferedCredential | Refused> => {
  const sent = await openItem(ports, item)
  if (sent !== null) return offerWithoutImage(ports, { externalId: null, ...sent, tenant, id })
  const [, connectionId] = item
  return (await refusalOfConnection(ports, { tenant, connectionId }, `ready:${job}:${index}`)) ?? unreadable
}

/** Suspended since the wave began: the item waits like all others. */
const refusalOf = ({ refused, reason }: Refused): Outcome => {
  if (refused === 'forbidden') throw new ComesAgain(reason, SUSPENDED_LOOK_MS)
  const error = ITEM_ERRORS.find((each) => each === refused && each !== 'internal')
  return error === undefined ? FAILED : refusedFor(error, reason)
}
