import type { Vault } from '../../ports/vault.ts'
import type { OfferJob } from './rules.ts'

type Keys = { readonly vault: Pick<Vault, 'openTenant'> }

/** By the index of the item; a reason may name what the caller called an attribute. */
export type Reasons = Readonly<Record<string, string>>

const contextOf = (job: string): string => `${job} reasons`

/** Under the organisation's key: that of the job goes with its items. Null where there is nothing to say. */
export const sealReasons = async (
  { vault }: Keys,
  job: string,
  tenant: string,
  reasons: Reasons,
): Promise<string | null> => {
  if (Object.keys(reasons).length === 0) return null
  return (await vault.openTenant(tenant)).seal(JSON.stringify(reasons), contextOf(job))
}

/** What cannot be opened any more says nothing. */
export const openReasons = async (
  { vault }: Keys,
  job: string,
  { tenant, sealedReasons }: Pick<OfferJob, 'tenant' | 'sealedReasons'>,
): Promise<Reasons> => {
  const key = await vault.openTenant(tenant)
  const opened = sealedReasons.map(
    (sealed) => JSON.parse(key.open(sealed, contextOf(job)) ?? '{}') as Reasons,
  )
  return Object.assign({}, ...opened) as Reasons
}
