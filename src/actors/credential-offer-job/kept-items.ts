import type { BodyReference } from '../../domain/body-reference.ts'
import type { Vault } from '../../ports/vault.ts'
import { type BodyPorts, keepBody, openBody } from '../bodies.ts'
import { ITEMS_LIFE_MS, type OfferJob, type OfferWave } from './rules.ts'
import type { SentOffers } from './sent-offers.ts'

/** Bodies that are sealed and written at once; others have their turn between them. */
const KEPT_AT_ONCE = 4

type Kept = { readonly keys: BodyReference; readonly waves: readonly OfferWave[] }

/**
 * Keeps what the items say, under the key of their job, which goes when it is finished; and their keys, which are shown
 * for longer, under the organisation's.
 */
export const keepItems = async (
  ports: BodyPorts,
  { job, tenant }: { readonly job: string; readonly tenant: string },
  offers: SentOffers,
): Promise<Kept> => {
  const keys = await keepBody(
    { ...ports, vault: ofTenant(ports.vault, tenant) },
    job,
    offers.keys,
    ITEMS_LIFE_MS,
  )
  const waves: OfferWave[] = []
  while (waves.length < offers.waves.length) {
    const some = offers.waves.slice(waves.length, waves.length + KEPT_AT_ONCE)
    const bodies = await Promise.all(some.map(({ text }) => keepBody(ports, job, text, ITEMS_LIFE_MS)))
    for (const [at, body] of bodies.entries())
      waves.push({ number: waves.length, indexes: some[at]?.indexes ?? [], body })
  }
  return { keys, waves }
}

/** They belong to nobody. What cannot be deleted now goes at the end of its life. */
export const dropItems = async (
  { bodies }: Pick<BodyPorts, 'bodies'>,
  job: string,
  { keys, waves }: Kept,
): Promise<void> => {
  const kept = [keys, ...waves.map(({ body }) => body)]
  await Promise.allSettled(kept.map(({ id }) => bodies.delete(job, id)))
}

/** Null where they cannot be read any more. */
export const openKeys = async (
  { bodies, vault }: Pick<BodyPorts, 'bodies' | 'vault'>,
  job: string,
  { tenant, keys }: Pick<Extract<OfferJob, { keys: unknown }>, 'tenant' | 'keys'>,
): Promise<readonly string[] | null> => {
  const text = await openBody({ bodies, vault: ofTenant(vault, tenant) }, job, keys)
  return text === null ? null : (JSON.parse(text) as readonly string[])
}

const ofTenant = (vault: Vault, tenant: string): Pick<Vault, 'open'> => ({
  open: () => vault.openTenant(tenant),
})
