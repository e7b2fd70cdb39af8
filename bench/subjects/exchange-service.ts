import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import type { Answer } from '../../src/cli/service-call.ts'
import { DEVELOPMENT_TENANT } from '../../src/actors/tenant/development-tenant.ts'
import type { GiveOrder } from '../../tools/harness/orders.ts'
import { type Published, publishDefinition, untilShown } from './published-definition.ts'
import { type ServiceOptions, startService } from './started-service.ts'
import { type StoredBytes, storedIn, unsweptIn } from './stored-bytes.ts'

const SHARDS_TIMEOUT_MS = 120_000

let give: GiveOrder | null = null
let folder = ''
let privateUrl = ''
let tenant: string = DEVELOPMENT_TENANT
let aheadMs = 0
let profiler: Session | null = null

/** The service as it runs in production; wallets and receivers are on this machine. */
export async function start(
  environment: Readonly<Record<string, string>>,
  options: Pick<ServiceOptions, 'folder' | 'nonce'> = {},
): Promise<{ url: string; key: string }> {
  const service = await startService(environment, { ...options, aheadMs: () => aheadMs })
  give = service.order
  folder = service.folder
  privateUrl = service.privateUrl
  // A cluster begins without an organisation.
  if (service.key === null) tenant = await newTenant()
  await untilShown(order, 'tenant show', { id: tenant, tenant }, ({ registered }) => registered === true)
  const key = service.key ?? String((await order('key create', { tenant, label: 'bench' }))['key'])
  return { url: service.url, key }
}

/** An order of the operator, as the command line gives it to the running service. */
export async function order(command: string, input: object): Promise<Answer> {
  if (give === null) throw new Error('start first')
  return give(command, input)
}

/** A schema, a definition and a template that asks for `revealed`; the service adds that nothing has expired. */
export const publish = (attributes: readonly string[], revealed: readonly string[]): Promise<Published> =>
  publishDefinition(order, tenant, attributes, revealed)

export async function setWebhook(url: string): Promise<string> {
  const { secret } = await order('webhook set', { tenant, url, eventTypes: null })
  return String(secret)
}

/** From now on its webhooks tell of connections alone. */
export async function hearConnectionsOnly(): Promise<void> {
  const { url } = await order('webhook show', { tenant })
  await order('webhook set', { tenant, url, eventTypes: ['connection.state_changed'] })
}

/** The account is tried first. */
export const setBiometric = (policy: object): Promise<Answer> => order('biometric set', { tenant, ...policy })

/** What all shards have done since they were opened, as the metrics say it. */
export async function sumsOfShards(names: readonly string[]): Promise<Record<string, number>> {
  const lines = (await (await fetch(`${privateUrl}/metrics`)).text()).split('\n')
  const sum = (name: string): number =>
    lines
      .filter((line) => line.startsWith(`vouchsafe_shard_${name}_total{`))
      .reduce((all, line) => all + Number(line.split(' ')[1]), 0)
  return Object.fromEntries(names.map((name) => [name, sum(name)]))
}

/** Samples the main thread until `stopProfile`. */
export async function startProfile(): Promise<void> {
  profiler ??= new Session()
  profiler.connect()
  await profiler.post('Profiler.enable')
  await profiler.post('Profiler.start')
}

/** Writes what was sampled as a `.cpuprofile`, which browsers and editors show. */
export async function stopProfile(file: string): Promise<void> {
  if (!profiler) throw new Error('no profile was started')
  const { profile } = await profiler.post('Profiler.stop')
  profiler.disconnect()
  profiler = null
  writeFileSync(file, JSON.stringify(profile))
}

/** Memory after the garbage is gone; needs `--expose-gc`. */
export function settledMemory(): { rssMb: number; heapMb: number; externalMb: number } {
  global.gc?.()
  global.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rssMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20, externalMb: external / 2 ** 20 }
}

/** The clock of the service goes forward; what waits by another clock goes on waiting. Answers with what it was. */
export function forward(ms: number): number {
  const beforeMs = Date.now() + aheadMs
  aheadMs += ms
  return beforeMs
}

export const storedBytes = (shards: readonly number[]): StoredBytes => storedIn(folder, shards)

export const unswept = (beforeMs: number): number => unsweptIn(folder, beforeMs)

/** A node of a cluster has its shards some seconds after it is started. */
async function newTenant(): Promise<string> {
  const deadlineMs = performance.now() + SHARDS_TIMEOUT_MS
  for (;;) {
    try {
      return String((await order('tenant create', { name: 'Bench' }))['id'])
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}
