import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../src/app.ts'
import { readOperatorAccess } from '../../src/compose/operator-access.ts'
import { loadConfig } from '../../src/config/config.ts'

const TENANT = 'ten_00development'
const PUBLISH_TIMEOUT_MS = 120_000

type Answer = Readonly<Record<string, unknown>>

let folder = ''
let profiler: Session | null = null

/** The whole service as it runs in production, in a folder of its own; wallets and receivers are on this machine. */
export async function start(
  environment: Readonly<Record<string, string>>,
): Promise<{ url: string; key: string }> {
  folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
  const ours = folder
  process.once('exit', () => rmSync(ours, { recursive: true, force: true }))
  const app = await startApp(
    loadConfig({
      PORT: '0',
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: folder,
      VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
      VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
      ...environment,
    }),
  )
  const key = /svc_sk_\S+/.exec(app.notes.join('\n'))?.[0]
  if (key === undefined) throw new Error('the first start showed no API key')
  await until('tenant show', TENANT, ({ registered }) => registered === true)
  return { url: app.url, key }
}

/** An order of the operator, as the command line gives it to the running service. */
export async function order(command: string, input: Answer): Promise<Answer> {
  const access = readOperatorAccess(folder)
  const response = await fetch(`${access?.url}/operator`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access?.token}` },
    body: JSON.stringify({ command, input }),
  })
  const answer = (await response.json()) as Answer
  if (!response.ok) throw new Error(`${command}: ${String(answer['reason'])}`)
  return answer
}

/** A schema, a definition and a template that asks for `revealed`; the service adds that nothing has expired. */
export async function publish(
  attributes: readonly string[],
  revealed: readonly string[],
): Promise<{ definitionId: string; templateId: string }> {
  const schema = await order('schema publish', { tenant: TENANT, name: 'person', version: '1.0', attributes })
  const schemaId = String(schema['id'])
  await published('schema show', schemaId)
  const made = await order('definition publish', { tenant: TENANT, schemaId, tag: 'default' })
  const definitionId = String(made['id'])
  await published('definition show', definitionId)
  const template = await order('template create', {
    tenant: TENANT,
    name: 'Not expired',
    description: null,
    groups: [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: revealed }],
    predicates: [],
  })
  return { definitionId, templateId: String(template['id']) }
}

export async function setWebhook(url: string): Promise<string> {
  const { secret } = await order('webhook set', { tenant: TENANT, url, eventTypes: null })
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

function published(show: string, id: string): Promise<void> {
  return until(show, id, ({ status }) => status === 'published')
}

async function until(show: string, id: string, isThere: (shown: Answer) => boolean): Promise<void> {
  const deadlineMs = performance.now() + PUBLISH_TIMEOUT_MS
  for (;;) {
    const shown = await order(show, { id })
    if (isThere(shown)) return
    if (shown['status'] === 'failed' || performance.now() > deadlineMs)
      throw new Error(`${id} did not come to the ledger: ${String(shown['lastError'])}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
