import { setImmediate } from 'node:timers/promises'
import { type Ref, shardDigits } from '../../domain/references.ts'
import type { EffectContext } from '../../host/definition.ts'
import { claimOf } from '../idempotency-claim/idempotency.ts'
import { claimKnown } from '../idempotency-claim/open-claim.ts'
import type { ClaimTypes } from '../idempotency-claim/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { areClaimsOver, keyedRequest, recordIdOf } from './item-claims.ts'
import { checkActive } from './check-active.ts'
import { openItems } from './kept-items.ts'
import type { ClaimKeys, KeptWave, OfferJobCommand } from './rules.ts'
import type { WaitingItem } from './waiting-item.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime' | 'vault' | 'bodies'>

/** Claims that are asked at once: few commits, because they share shards, and others have their turn in between. */
const AT_ONCE = 64

type Key = { readonly index: number; readonly claim: Ref<ClaimTypes>; readonly item: WaitingItem }

/**
 * Claims the keys of all items in the order of their claims' shards: a wave, which is ordered by connections, would find
 * each of its claims on a shard of its own, with a commit of its own. Crashed and repeated, it claims them once more.
 */
export const claimKeys = async (
  ports: Ports,
  { job: { tenant, createdAtMs }, waves }: ClaimKeys,
  { actor: job }: Pick<EffectContext, 'actor'>,
): Promise<OfferJobCommand> => {
  await checkActive(ports, tenant)
  const { runtime } = ports
  const keys: Key[] = []
  for (const wave of areClaimsOver(createdAtMs, runtime.now()) ? [] : waves) {
    keys.push(...(await keysOf(ports, { job, tenant, createdAtMs }, wave)))
    // Each wave is a thousandth of a second, behind which nobody has to wait for the others.
    await setImmediate()
  }
  const sorted = keys.toSorted((left, right) => shardDigits(left.claim) - shardDigits(right.claim))
  const had = new Set<number>()
  let failed: PromiseRejectedResult | undefined
  for (let at = 0; at < sorted.length; at += AT_ONCE) {
    const some = sorted.slice(at, at + AT_ONCE)
    const settled = await Promise.allSettled(some.map((key) => isHad(ports, { job, tenant }, key)))
    failed ??= settled.find((each) => each.status === 'rejected')
    for (const [place, { index }] of some.entries()) {
      const each = settled[place]
      if (each?.status === 'fulfilled' && each.value) had.add(index)
    }
  }
  if (had.size === 0 && failed !== undefined) throw failed.reason
  const unclaimed = waves.flatMap(({ indexes }) => indexes.filter((index) => !had.has(index)))
  return { type: 'RecordKeysClaimed', atMs: Math.floor(runtime.now()), unclaimed }
}

type Job = { readonly job: string; readonly tenant: string }

const keysOf = async (
  ports: Ports,
  { job, tenant, createdAtMs }: Job & { readonly createdAtMs: number },
  wave: KeptWave,
): Promise<readonly Key[]> => {
  const items = (await openItems(ports, job, wave, createdAtMs)) ?? []
  return Promise.all(
    items.map(async (item, at) => {
      const claim = await claimOf(ports.vault, keyedRequest(tenant, item))
      return { index: wave.indexes[at] ?? 0, claim, item }
    }),
  )
}

/** Whether the key now gives its exchange the id that this job has for it. */
const isHad = async (ports: Ports, { job, tenant }: Job, { index, claim, item }: Key): Promise<boolean> => {
  const [, connectionId] = item
  const own = recordIdOf(job, index, connectionId)
  const known = await claimKnown(ports, keyedRequest(tenant, item), claim, own)
  return known.is === 'claimed' && known.isNew
}
