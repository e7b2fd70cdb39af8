import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from 'node:inspector/promises'
import BetterSqlite3 from 'better-sqlite3'
import type { Answer } from '../../src/cli/service-call.ts'
import { DEVELOPMENT_TENANT } from '../../src/actors/tenant/development-tenant.ts'
import type { GiveOrder } from '../../tools/harness/orders.ts'
import { prepareSizes } from '../../src/persistence/sqlite/sizes.ts'
import { startService } from './started-service.ts'

const PUBLISH_TIMEOUT_MS = 400_000

let give: GiveOrder | null = null
let folder = ''
let profiler: Session | null = null

/** The service as it runs in production; wallets and receivers are on this machine. */
export async function start(
  environment: Readonly<Record<string, string>>,
): Promise<{ url: string; key: string }> {
  const service = await startService(environment)
  give = service.order
  folder = service.folder
  await until('tenant show', DEVELOPMENT_TENANT, ({ registered }) => registered === true)
  return { url: service.url, key: service.key }
}

/** An order of the operator, as the command line gives it to the running service. */
export async function order(command: string, input: Answer): Promise<Answer> {
  if (give === null) throw new Error('start first')
  return give(command, input)
}

/** A schema, a definition and a template that asks for `revealed`; the service adds that nothing has expired. */
export async function publish(
  attributes: readonly string[],
  revealed: readonly string[],
): Promise<{ definitionId: string; templateId: string }> {
  const schema = await order('schema publish', {
    tenant: DEVELOPMENT_TENANT,
    name: 'person',
    version: '1.0',
    attributes,
  })
  const schemaId = String(schema['id'])
  await published('schema show', schemaId)
  const made = await order('definition publish', { tenant: DEVELOPMENT_TENANT, schemaId, tag: 'default' })
  const definitionId = String(made['id'])
  await published('definition show', definitionId)
  const template = await order('template create', {
    tenant: DEVELOPMENT_TENANT,
    name: 'Not expired',
    description: null,
    groups: [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: revealed }],
    predicates: [],
  })
  return { definitionId, templateId: String(template['id']) }
}

export async function setWebhook(url: string): Promise<string> {
  const { secret } = await order('webhook set', { tenant: DEVELOPMENT_TENANT, url, eventTypes: null })
  return String(secret)
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

/** The pages in use of every file that lasts, and of the journal what is in them. */
export function storedBytes(): { total: number; parts: Record<string, number> } {
  const parts: Record<string, number> = {}
  let total = 0
  for (const name of ['journal.db', 'directory.sqlite', 'vault/keys.sqlite']) {
    const database = new BetterSqlite3(join(folder, name), { readonly: true })
    const pragma = (of: string): number => Number(database.pragma(of, { simple: true }))
    parts[name] = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
    total += parts[name]
    if (name === 'journal.db') {
      for (const { what, kind, bytes } of prepareSizes(database)()) parts[`${what} ${kind ?? ''}`] = bytes
    }
    database.close()
  }
  return { total, parts }
}

function published(show: string, id: string): Promise<void> {
  return until(show, id, ({ status }) => status === 'published')
}

async function until(show: string, id: string, isThere: (shown: Answer) => boolean): Promise<void> {
  const deadlineMs = performance.now() + PUBLISH_TIMEOUT_MS
  for (;;) {
    const shown = await order(show, { id, tenant: DEVELOPMENT_TENANT })
    if (isThere(shown)) return
    if (shown['status'] === 'failed' || performance.now() > deadlineMs)
      throw new Error(`${id} did not come to the ledger: ${String(shown['lastError'])}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
