import { isRefused } from '../../domain/decider.ts'
import type { Ref } from '../../domain/references.ts'
import type { EffectContext } from '../../host/definition.ts'
import type { ListedRecord } from '../../ports/directory.ts'
import { isWaitedFor } from '../../ports/parking.ts'
import { policyOf } from '../biometric-policy/rules.ts'
import { offerJob } from '../credential-offer-job/rules.ts'
import { ERASURES, erasureIdOf } from '../erased-records.ts'
import { faceCheck } from '../face-check/rules.ts'
import { ceilingOf } from '../ledger-ceiling/rules.ts'
import { invitation } from '../invitation/rules.ts'
import { mailbox } from '../mailbox/state.ts'
import { mediatedKey, type MediatedKeyTypes } from '../mediated-key/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { itemRateOf } from '../offer-item-rate/rules.ts'
import { rosterOf } from '../roster/rules.ts'
import { DELIVERIES } from '../webhook-delivery/listed.ts'
import { webhookDelivery } from '../webhook-delivery/rules.ts'
import { endpointOf } from '../webhook-endpoint/rules.ts'
import type { TenantCommand } from './rules.ts'

type Ports = Pick<KindPorts, 'actors' | 'removals' | 'recordsOfTenant' | 'vault' | 'runtime' | 'deletion'>

const AUDIT_ENTRIES = 'audit-entry'
const API_KEYS = 'api-key'
const ENDORSEMENTS = 'endorsement'
/** What stays of an organisation: who did what, and what was erased on request. Neither has anything personal in it. */
export const LISTS_KEPT: readonly string[] = [AUDIT_ENTRIES, ERASURES]

/** At most, and no more than may go in a second. They go together: the journal lets many go as fast as one. */
const PAGE_MAX = 256
/** Records that are only looked at, for each that may be removed. */
const LOOKS = 20

/** Something could not be removed; the effect is owed until it can. */
class LeftOver extends Error {
  override readonly name = 'LeftOver'
  readonly retryable = true
}

/**
 * Removes all that an organisation has, and its key last. What is left to do follows from what there still is, so nothing
 * is remembered on the way: whatever a crash cuts off begins again with the rest.
 */
export const deleteRecords = async (
  ports: Ports,
  { actor: tenant, signal }: Pick<EffectContext, 'actor' | 'signal'>,
): Promise<TenantCommand> => {
  const { recordsOfTenant, vault, runtime } = ports
  await recordsOfTenant.caughtUp()
  const work: Work = { ports, tenant, signal, left: null }
  // First what lets others begin something, which would be left: keys, and then invitations.
  await removeListed(work, { kind: API_KEYS, isOfOperators: true })
  await removeListed(work, { kind: ENDORSEMENTS, isOfOperators: true })
  await removeAll(work, [endpointOf(tenant), policyOf(tenant), ceilingOf(tenant), itemRateOf(tenant)])
  // Before the look at all that there is, which would find each of them once more.
  await removeListed(work, { kind: DELIVERIES, isOfOperators: false })
  await removeUnlisted(work)
  await recordsOfTenant.caughtUp()
  for (const kind of await recordsOfTenant.listsOf(tenant))
    if (!LISTS_KEPT.includes(kind)) await removeListed(work, { kind, isOfOperators: false })
  await removeMembers(work)
  // Those that could be removed are gone, whatever one of them says.
  if (work.left !== null) throw work.left
  // No list may be about to show what a record was before it went.
  await recordsOfTenant.caughtUp()
  await vault.eraseTenant(tenant)
  // What the key store has written ahead may still have the keys.
  await vault.cleaned()
  return { type: 'RecordDeleted', atMs: runtime.now() }
}

type Work = {
  readonly ports: Ports
  readonly tenant: string
  readonly signal: AbortSignal
  left: LeftOver | null
}

type List = { readonly kind: string; readonly isOfOperators: boolean }

const removeListed = async (work: Work, list: List): Promise<void> => {
  const { recordsOfTenant, deletion } = work.ports
  const { tenant } = work
  const limit = Math.min(PAGE_MAX, deletion.recordsPerSecond)
  for (let after: ListedRecord | null = null; ; ) {
    const page: readonly ListedRecord[] = await recordsOfTenant.recordsOf({
      tenant,
      ...list,
      after,
      limit,
    })
    // What was erased on request has nothing personal left, and is an entry of the log of erasures.
    const ids = page.map(({ id }) => erasureIdOf(id))
    const kept = new Set(await recordsOfTenant.listed({ tenant, kind: ERASURES, ids }))
    const going = page.filter(({ id }) => !kept.has(erasureIdOf(id)))
    const gone = await removeAll(
      work,
      going.map(({ id }) => id),
    )
    await recordsOfTenant.unlist(
      page.flatMap(({ id, row }) => (gone.has(id) || kept.has(erasureIdOf(id)) ? row : [])),
    )
    after = page.at(-1) ?? null
    if (page.length < limit) return
  }
}

/** The accounts of its people, and then the list of them, by which they are found. */
const removeMembers = async (work: Work): Promise<void> => {
  const { actors, removals } = work.ports
  const roster = rosterOf(work.tenant)
  const entries = await actors.read(roster)
  const accounts = isRefused(entries) ? [] : entries.map(({ account }) => account)
  const gone = await removeAll(work, accounts)
  if (gone.size === accounts.length) await removals.remove(roster)
}

/**
 * Invitations, mailboxes, claimed keys, face checks, deliveries that are forgotten and jobs of offers whose request was cut
 * off stand in no list, so all of these kinds are looked at.
 */
const removeUnlisted = async (work: Work): Promise<void> => {
  const { actors, recordsOfTenant, deletion } = work.ports
  const isOurs = async (id: string): Promise<boolean> => {
    const key = mediatedKey.find(id)
    if (key !== null) return isClaimedBy(actors, key, work.tenant)
    const record = await readUnlisted(actors, id)
    return !isRefused(record) && record.tenant === work.tenant
  }
  let page: string[] = []
  const look = async (): Promise<void> => {
    const ours: string[] = []
    await paced(work, page, deletion.recordsPerSecond * LOOKS, async (id) => {
      try {
        if (await isOurs(id)) ours.push(id)
      } catch (error) {
        // Whose it is cannot be said; if it is ours, it is unreadable for good with the key of the organisation.
        if (isWaitedFor(error)) throw error
      }
    })
    await removeAll(work, ours)
    page = []
  }
  for await (const id of recordsOfTenant.everyActor()) {
    work.signal.throwIfAborted()
    if (!isUnlisted(id)) continue
    page.push(id)
    if (page.length === PAGE_MAX) await look()
  }
  await look()
}

const UNLISTED = [invitation, mailbox, mediatedKey, webhookDelivery, faceCheck, offerJob] as const

const isUnlisted = (id: string): boolean => UNLISTED.some((kind) => kind.find(id) !== null)

/** A claim names its mailbox alone. One whose mailbox is gone was left by a deletion, this one or an earlier one. */
const isClaimedBy = async (
  actors: Ports['actors'],
  key: Ref<MediatedKeyTypes>,
  tenant: string,
): Promise<boolean> => {
  const claim = await actors.read(key)
  if (isRefused(claim)) return false
  const owner = await actors.read(mailbox.ref(claim.mailbox), { view: 'owner' })
  return isRefused(owner) || owner.tenant === tenant
}

const readUnlisted = (actors: Ports['actors'], id: string) => {
  const [ofInvitation, ofMailbox, ofCheck] = [invitation.find(id), mailbox.find(id), faceCheck.find(id)]
  const ofJob = offerJob.find(id)
  if (ofInvitation !== null) return actors.read(ofInvitation)
  if (ofCheck !== null) return actors.read(ofCheck)
  if (ofJob !== null) return actors.read(ofJob)
  if (ofMailbox === null) return actors.read(webhookDelivery.ref(id))
  // Of a mailbox all that waits in it would come along.
  return actors.read(ofMailbox, { view: 'owner' })
}

/** Answers with those that are gone. */
const removeAll = async (work: Work, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const { removals, deletion } = work.ports
  const gone = new Set<string>()
  await paced(work, ids, deletion.recordsPerSecond, async (id) => {
    await removals.remove(id)
    gone.add(id)
  })
  return gone
}

/** One page, and no more in a second than may be. One that fails holds up no other. */
const paced = async (
  work: Work,
  ids: readonly string[],
  perSecond: number,
  run: (id: string) => Promise<void>,
): Promise<void> => {
  const { runtime } = work.ports
  const startedMs = runtime.monotonicMs()
  work.signal.throwIfAborted()
  await Promise.all(
    ids.map((id) =>
      run(id).catch((cause: unknown) => {
        work.left = new LeftOver(`${id} is not removed yet`, { cause })
      }),
    ),
  )
  const untilMs = startedMs + (ids.length * 1_000) / perSecond
  await runtime.sleep(Math.max(0, untilMs - runtime.monotonicMs()), work.signal)
}
