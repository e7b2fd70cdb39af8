import type { GiveOrder } from '../../harness/orders.ts'
import { startPhones } from '../../flows/phones.ts'
import { type Published, publishForFlows } from '../../flows/publish.ts'
import { openWithPorts, walletEndpoint } from '../../flows/seeded.ts'
import { type Json, Tenant } from '../../flows/tenant.ts'
import { startReceiver } from '../../flows/webhook-receiver.ts'
import type { Place } from '../../harness/place.ts'
import { startApplication } from '../../harness/started-app.ts'
import type { Random } from '../../simulate/random.ts'
import { type Subject, seeding } from './subjects.ts'
import { shownOf } from './verdict.ts'

const PATIENCE_MS = 10 * 60_000
const MIXED_CONNECTIONS = 8
const WHOLE_CONNECTIONS = 2
const PROCESSES_OF_PHONES = 2
const DAY_MS = 86_400_000

type Sizes = {
  readonly exchanges: number
  readonly connections: number
  readonly 'of-a-connection': number
}

/** An organisation beside the main one, whose exchanges are swept. */
export type Swept = {
  readonly tenant: Tenant
  readonly old: readonly Subject[]
  readonly young: readonly Subject[]
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

type Main = {
  /** Each to be erased by itself. */
  readonly exchanges: readonly Subject[]
  /** Each to be erased with all that belongs to it, the large ones first. */
  readonly connections: readonly Subject[]
  readonly kept: readonly Subject[]
}

export type World = Main & {
  readonly published: Published
  /** Its period is a day from the beginning. */
  readonly swept: Swept
  /** Its period is shortened to a day half-way. */
  readonly sweptLater: Swept
  /** What the organisation whose records are swept hears. */
  readonly sweptHears: Receiver
  readonly states: Readonly<Record<string, number>>
}

type Seed = ReturnType<typeof seeding>
type Seeding = { readonly order: GiveOrder; readonly seedsOf: (tenant: string) => Seed }

/** Phones, webhook endpoints, organisations and records in all states; the service that made them has stopped. */
export const makeWorld = async (place: Place, sizes: Sizes, random: Random, receiver: Receiver) => {
  const wallet = await walletEndpoint()
  place.add('wallet', async () => wallet.close())
  const phones = startPhones(PROCESSES_OF_PHONES, () => undefined)
  place.add('phones', () => phones.close())
  const sweptHears = await startReceiver(() => undefined)
  place.add('other receiver', async () => sweptHears.close())

  const { open, ports } = openWithPorts()
  const { dataFolder } = place
  const settings = { VOUCHSAFE_LOG_LEVEL: 'silent', VOUCHSAFE_CRYPTO_WORKERS: '1', ...place.settings }
  const { app, order } = await startApplication(dataFolder, settings, open)
  const seeds: Seeding = {
    order,
    seedsOf: (tenant) => seeding({ ...ports(), tenant }, wallet.url, random),
  }
  const tenantHere = (): Tenant => new Tenant({ url: app.url, dataFolder, patienceMs: PATIENCE_MS })
  const published = await publishForFlows(tenantHere(), receiver)
  const main = await mainRecords(seeds, published.tenant, receiver, sizes)
  const sweptLater = await sweptRecords(seeds, tenantHere(), 0, sizes)
  const swept = await sweptRecords(seeds, tenantHere(), 1, sizes)
  await listen(order, swept.tenant, sweptHears)
  const all = [
    ...main.connections.slice(sizes.connections).flatMap((each) => each.exchanges),
    ...main.exchanges,
    ...main.kept,
  ]
  const states = statesOf([...(await shownOf(published.tenant, all)).values()])
  await app.stop()
  const world: World = { ...main, published, swept, sweptLater, sweptHears, states }
  return { world, phones }
}

const listen = async (order: GiveOrder, { id: tenant }: Tenant, receiver: Receiver): Promise<void> => {
  const made = order('webhook set', { tenant, url: receiver.url, eventTypes: null })
  const secret = made.then((endpoint) => String(endpoint['secret']))
  receiver.useSecret(secret)
  await secret
}

const mainRecords = async (
  { order, seedsOf }: Seeding,
  tenant: Tenant,
  receiver: Receiver,
  { exchanges: count, connections: largeOnes, 'of-a-connection': ofALarge }: Sizes,
): Promise<Main> => {
  const { whole, mixed } = seedsOf(tenant.id)
  const connections: Subject[] = []
  const exchanges: Subject[] = []
  const kept: Subject[] = []
  // Their exchanges are so many that their webhooks would be the whole load.
  await order('webhook remove', { tenant: tenant.id })
  for (let number = 0; number < largeOnes; number++) connections.push(await whole('erased', ofALarge))
  await listen(order, tenant, receiver)
  const ofEach = Math.ceil(count / (MIXED_CONNECTIONS + WHOLE_CONNECTIONS))
  for (let number = 0; number < WHOLE_CONNECTIONS; number++) connections.push(await whole('erased', ofEach))
  for (let number = 0; number < MIXED_CONNECTIONS; number++) {
    const made = await mixed(ofEach)
    exchanges.push(...made.erased)
    kept.push(...made.kept)
  }
  return { exchanges, connections, kept }
}

const sweptRecords = async (
  { order, seedsOf }: Seeding,
  tenant: Tenant,
  days: number,
  { exchanges }: Sizes,
): Promise<Swept> => {
  const { id } = await order('tenant create', { name: `Kept for ${days} days` })
  const { key } = await order('key create', { tenant: id, label: 'campaign' })
  tenant.use(String(id), String(key))
  const { retention, aged } = seedsOf(tenant.id)
  await retention(0)
  const { old, young } = await aged(Math.ceil(exchanges / 2))
  // Under load the service itself may have ended one of them, and that was now.
  const shown = await shownOf(tenant, old)
  const isOld = (each: Subject): boolean =>
    Date.parse(String(shown.get(each.id)?.['updatedAt'])) < Date.now() - DAY_MS
  // Only now: the service that seeds may live long enough for a sweep of its own.
  await retention(days)
  return { tenant, old: old.filter(isOld), young: [...young, ...old.filter((each) => !isOld(each))] }
}

/** How many records there are in each state. */
const statesOf = (records: readonly Json[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { id, state } of records) {
    const name = `${String(id).slice(0, 3)} ${String(state)}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
