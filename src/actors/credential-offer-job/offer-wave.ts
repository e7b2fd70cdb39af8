import { hash } from 'node:crypto'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import { ComesAgain } from '../../host/effects/not-begun.ts'
import { ActorFailed } from '../../ports/actors.ts'
import { KeyGone, KeyLost } from '../../ports/vault.ts'
import { newExchangeId, refusalOfConnection } from '../connection/for-exchanges.ts'
import { OFFER_PATH } from '../credential/offer-body.ts'
import { type OfferedCredential, offerWithoutImage } from '../credential/offer.ts'
import { credential } from '../credential/rules.ts'
import { claimOpenly } from '../idempotency-claim/open-claim.ts'
import type { KindPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { activeTenant } from '../tenant/read.ts'
import { openItems } from './kept-items.ts'
import { sealReasons } from './reasons.ts'
import {
  ITEM_ERRORS,
  type ItemError,
  type ItemResult,
  type OfferJobCommand,
  type OfferJobEffect,
} from './rules.ts'
import { openItem, type WaitingItem } from './waiting-item.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime' | 'vault' | 'bodies' | 'catalogue' | 'newNonce'>

/** Of what makes the id of an exchange unique. */
const ID_CHARACTERS = 32
/** How often the job of a suspended organisation looks whether it is so still. */
const SUSPENDED_LOOK_MS = 30_000
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
  { job: { tenant, createdAtMs }, wave, done }: OfferJobEffect,
  { actor: job }: Pick<EffectContext, 'actor'>,
): Promise<OfferJobCommand> => {
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) throw new ComesAgain(active.reason, SUSPENDED_LOOK_MS)
  const left = [...wave.indexes.entries()].filter(([, index]) => !done.includes(index))
  const items = openItems(ports, job, wave, createdAtMs)
  const settled = await Promise.allSettled(
    left.map(async ([at, index]): Promise<readonly [number, Outcome]> => {
      const item = (await items)?.[at]
      if (item === undefined) return [index, refusalOf(gone)]
      return [index, await offerItem(ports, { tenant, job, index }, item)]
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
  const atMs = Math.floor(ports.runtime.now())
  return { type: 'RecordWaveOffered', atMs, wave: wave.number, results, sealedReasons }
}

type Place = { readonly tenant: string; readonly job: string; readonly index: number }

const offerItem = async (ports: Ports, place: Place, item: WaitingItem): Promise<Outcome> => {
  const { tenant, job, index } = place
  const [key, connectionId, fingerprint] = item
  const request = { tenant, method: 'POST', path: OFFER_PATH, key, fingerprint }
  // The same for every attempt: also where the claim of an earlier one is over, there is one exchange.
  const newId = (): string => hash('sha256', `${job} ${index}`).slice(0, ID_CHARACTERS)
  const claim = await claimOpenly(ports, request, () => newExchangeId(credential, connectionId, { newId }))
  // A request for the offer by itself is under way at this moment, or was until its process died.
  if (claim.is === 'in-progress') throw new ComesAgain('the offer is under way', BUSY_LOOK_MS)
  if (claim.is !== 'claimed') return REUSED
  const { recordId: id } = claim
  const isMade = async (): Promise<boolean> => (await ownRecord(ports, credential, tenant, id)) !== null
  try {
    if (!claim.isNew && (await isMade())) return { credentialId: id }
    const offered = await offerOf(ports, { ...place, id }, item)
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
