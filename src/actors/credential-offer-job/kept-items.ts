import type { BodyReference } from '../../domain/body-reference.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Vault } from '../../ports/vault.ts'
import { BodyMissing, type BodyPorts, keepBody, openBody } from '../bodies.ts'
import type { KindPorts } from '../kind-ports.ts'
import { ITEMS_LIFE_MS, type KeptWave, type OfferJob, offerJob, type WaveRest } from './rules.ts'
import type { SentOffers } from './sent-offers.ts'
import { type WaitingItem, waitingItem } from './waiting-item.ts'

/** Bodies that are sealed and written at once; others have their turn between them. */
const KEPT_AT_ONCE = 4

type Kept = { readonly keys: BodyReference; readonly waves: readonly KeptWave[] }

/**
 * Keeps the items under the key of their job, which goes when it is finished, and what each says under that of its
 * connection as well, which may go before; and their keys, which are shown for longer, under the organisation's.
 */
export const keepItems = async (
  ports: BodyPorts,
  { job, tenant }: { readonly job: string; readonly tenant: string },
  offers: SentOffers,
): Promise<Kept> => {
  const lifeMs = ITEMS_LIFE_MS
  const ofTenant = { ...ports, vault: tenantVault(ports.vault, tenant) }
  const keys = await keepBody(ofTenant, job, offers.keys, { lifeMs })
  const waves: KeptWave[] = []
  while (waves.length < offers.waves.length) {
    const some = offers.waves.slice(waves.length, waves.length + KEPT_AT_ONCE)
    const bodies = await Promise.all(
      some.map(async ({ items }) => {
        const waiting = await Promise.all(items.map((item) => waitingItem(ports, tenant, item)))
        return keepBody(ports, job, JSON.stringify(waiting), { lifeMs })
      }),
    )
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

/**
 * What of a wave comes again, in a body of its own: of items that are offered nothing may stay beside their exchanges, whose
 * erasure does not reach it. Undefined where all that was there comes again, or nothing does.
 */
export const keepRest = async (
  ports: BodyPorts & Pick<KindPorts, 'actors'>,
  job: string,
  { number, indexes }: Pick<KeptWave, 'number' | 'indexes'>,
  { items, isKnown, createdAtMs }: ToKeep,
): Promise<WaveRest | undefined> => {
  const left = [...indexes.entries()].filter(([, index]) => !isKnown(index))
  if (items === null || left.length === 0 || left.length === indexes.length) return undefined
  const text = JSON.stringify(left.map(([at]) => items[at]))
  const { actors, runtime } = ports
  const id = runtime.newId()
  const name = { type: 'NameRest', atMs: Math.floor(runtime.now()), wave: number, restBody: id } as const
  // Before it is put: bodies that the job does not name are deleted at any moment.
  await actors.ask(offerJob.ref(job), name, { commandId: `rest:${id}`, tenant: null })
  const lifeMs = createdAtMs + ITEMS_LIFE_MS - runtime.now()
  return { indexes: left.map(([, index]) => index), body: await keepBody(ports, job, text, { lifeMs, id }) }
}

type ToKeep = {
  readonly items: readonly WaitingItem[] | null
  /** Whether the item at this index has its result. */
  readonly isKnown: (index: number) => boolean
  readonly createdAtMs: number
}

/** Null where the key of the job is gone or lost, and where the items have waited for longer than anything is kept. */
export const openItems = async (
  ports: BodyPorts,
  job: string,
  { body }: Pick<KeptWave, 'body'>,
  createdAtMs: number,
): Promise<readonly WaitingItem[] | null> => {
  const text = await nullAfterLife(ports.runtime, createdAtMs, openBody(ports, job, body))
  return text === null ? null : (JSON.parse(text) as readonly WaitingItem[])
}

/** Null where they cannot be read any more: a job whose organisation rested may outlast all that is kept of it. */
export const openKeys = async (
  { bodies, vault, runtime }: BodyPorts,
  job: string,
  {
    tenant,
    keys,
    createdAtMs,
  }: Pick<Extract<OfferJob, { keys: unknown }>, 'tenant' | 'keys' | 'createdAtMs'>,
): Promise<readonly string[] | null> => {
  const ofTenant = { bodies, vault: tenantVault(vault, tenant) }
  const text = await nullAfterLife(runtime, createdAtMs, openBody(ofTenant, job, keys))
  return text === null ? null : (JSON.parse(text) as readonly string[])
}

/** Null in place of a body that is missing because its life is over. */
const nullAfterLife = async (
  runtime: Pick<Runtime, 'now'>,
  createdAtMs: number,
  opened: Promise<string | null>,
): Promise<string | null> => {
  try {
    return await opened
  } catch (error) {
    if (error instanceof BodyMissing && runtime.now() > createdAtMs + ITEMS_LIFE_MS) return null
    throw error
  }
}

const tenantVault = (vault: Vault, tenant: string): Pick<Vault, 'open' | 'openElsewhere'> => {
  const open = () => vault.openTenant(tenant)
  return { open, openElsewhere: open }
}
