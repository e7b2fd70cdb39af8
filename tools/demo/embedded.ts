import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../src/app.ts'
import { DEVELOPMENT_TENANT } from '../../src/actors/tenant/development-tenant.ts'
import { loadConfig } from '../../src/config/config.ts'
import { ordersTo } from '../harness/orders.ts'
import type { Timeline } from './timeline.ts'

const PUBLISH_TIMEOUT_MS = 120_000

/** The service as `npm start` runs it, on a folder that is thrown away. */
export const startEmbedded = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-demo-'))
  const app = await startApp(
    loadConfig({
      PORT: '0',
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_LOG_LEVEL: 'silent',
      VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
      // The demonstration looks often.
      VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '100000',
      VOUCHSAFE_DATA_FOLDER: folder,
    }),
  )
  const key = /svc_sk_\S+/.exec(app.notes.join('\n'))?.[0]
  if (key === undefined) throw new Error('the first start showed no API key')
  return {
    url: app.url,
    key,
    order: ordersTo(folder),
    close: async (): Promise<void> => {
      await app.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>

/** A schema, a definition and a proof template; the names of the last two. */
export const publishAll = async (service: Embedded, timeline: Timeline) => {
  const schema = {
    tenant: DEVELOPMENT_TENANT,
    name: 'person',
    version: '1.0',
    attributes: ['name', 'age', 'expiresAt'],
  }
  const { id: schemaId } = await service.order('schema publish', schema)
  await published(service, 'schema show', schemaId)
  timeline.tell('ledger', 'schema person 1.0 published')
  const made = await service.order('definition publish', {
    tenant: DEVELOPMENT_TENANT,
    schemaId,
    tag: 'default',
  })
  await timeline.during(
    'making the keys of the credential definition',
    published(service, 'definition show', made['id']),
  )
  timeline.tell('ledger', 'credential definition published')
  const definitionId = String(made['id'])
  const template = await service.order('template create', {
    tenant: DEVELOPMENT_TENANT,
    name: 'Adults only',
    description: null,
    groups: [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }],
    predicates: [{ group: 'person', attribute: 'age', operator: '>=', value: 18 }],
  })
  return { definitionId, templateId: String(template['id']) }
}

const published = async (service: Embedded, show: string, id: unknown): Promise<void> => {
  const deadlineMs = performance.now() + PUBLISH_TIMEOUT_MS
  for (;;) {
    const { status, lastError } = await service.order(show, { tenant: DEVELOPMENT_TENANT, id: String(id) })
    if (status === 'published') return
    if (status === 'failed' || performance.now() > deadlineMs)
      throw new Error(`${String(id)} was not published: ${String(lastError)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
