import { describe, expect, it } from 'vitest'
import { type App, startApp } from '../src/app.ts'
import { type Config, loadConfig } from '../src/config/config.ts'
import type { OpenService, Service } from '../src/compose/service.ts'
import { plainDoor } from './http/front-door/plain-door.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { eventually } from './eventually.ts'

const config = (more: Readonly<Record<string, string>> = {}): Config =>
  loadConfig({
    PORT: '0',
    VOUCHSAFE_PRIVATE_PORT: '0',
    VOUCHSAFE_LOG_LEVEL: 'silent',
    VOUCHSAFE_PROBE_INTERVAL_MS: '50',
    VOUCHSAFE_DATA_FOLDER: temporaryFolder('vouchsafe-app'),
    ...more,
  })

const silentListener = {
  received: async () => undefined,
  drained: () => undefined,
  ended: () => undefined,
}

/** A service without routes, as far as the ports need one. */
const bare: Service = {
  ...plainDoor,
  name: 'service',
  contents: { tags: [], events: [] },
  routes: [],
  isDraining: () => false,
  probe: async () => undefined,
  detail: () => ['ledger: reachable'],
  sockets: { isAddress: () => false, opened: () => silentListener },
  listening: async () => [],
  takePart: async () => undefined,
}
const openBare: OpenService = async () => bare

/** Opens what has these names, one after the other. */
const opening =
  (order: string[], ...names: readonly string[]): OpenService =>
  async ({ lifecycle }) => {
    for (const name of names) {
      order.push(`open ${name}`)
      lifecycle.add(name, async () => void order.push(`stop ${name}`))
    }
    return bare
  }

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

describe('the application', () => {
  it('stops what the service has opened in the opposite order', async () => {
    const order: string[] = []
    const app = await startApp(config(), opening(order, 'journal', 'stream'))
    expect(await app.stop()).toBe(true)
    expect(order).toEqual(['open journal', 'open stream', 'stop stream', 'stop journal'])
  })

  it('is degraded and not ready while the service is down, and recovers with it', async () => {
    let broken = false
    const probe = async () => {
      if (broken) throw new Error('away')
    }
    const app: App = await startApp(config(), async () => ({ ...bare, probe }))
    expect([await statusOf(`${app.url}/v1/health`), await statusOf(`${app.privateUrl}/ready`)]).toEqual([
      200, 200,
    ])
    broken = true
    await eventually(async () => expect(await statusOf(`${app.url}/v1/health`)).toBe(503))
    expect([await statusOf(`${app.privateUrl}/ready`), await statusOf(`${app.privateUrl}/live`)]).toEqual([
      503, 200,
    ])
    broken = false
    await eventually(async () => expect(await statusOf(`${app.url}/v1/health`)).toBe(200))
    await app.stop()
  })

  it('is alive and healthy and not ready while its node is to be empty', async () => {
    let draining = false
    const app = await startApp(config(), async () => ({ ...bare, isDraining: () => draining }))
    const ready = () => statusOf(`${app.privateUrl}/ready`)
    expect(await ready()).toBe(200)
    draining = true
    expect(await ready()).toBe(503)
    expect([await statusOf(`${app.privateUrl}/live`), await statusOf(`${app.url}/v1/health`)]).toEqual([
      200, 200,
    ])
    draining = false
    expect(await ready()).toBe(200)
    await app.stop()
  })

  it('closes what was opened when the rest cannot be opened', async () => {
    const order: string[] = []
    const failing: OpenService = async (context) => {
      await opening(order, 'journal')(context)
      throw new Error('the store is away')
    }
    await expect(startApp(config(), failing)).rejects.toThrow('the store is away')
    expect(order).toEqual(['open journal', 'stop journal'])
  })

  it('stops the rest when something fails to, and gives up on what hangs', async () => {
    const order: string[] = []
    const app = await startApp(config(), async (context) => {
      await opening(order, 'journal')(context)
      context.lifecycle.add('stream', () => Promise.reject(new Error('x')))
      return bare
    })
    expect(await app.stop()).toBe(true)
    expect(order).toContain('stop journal')
    const stuck = await startApp(config({ VOUCHSAFE_DRAIN_TIMEOUT_MS: '100' }), async ({ lifecycle }) => {
      lifecycle.add('stream', () => new Promise<void>(() => undefined))
      return bare
    })
    expect(await stuck.stop()).toBe(false)
  })

  it('describes itself', async () => {
    const app = await startApp(config({ VOUCHSAFE_HTTP_ENGINE: 'node' }), openBare)
    const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      paths: Record<string, unknown>
    }
    expect(Object.keys(document.paths)).toContain('/v1/health')
    const page = await (await fetch(`${app.url}/docs/api/service`)).text()
    expect(page).toContain('/v1/health')
    await app.stop()
  })

  it('names itself by the public address when it has one', async () => {
    const app = await startApp(config({ VOUCHSAFE_PUBLIC_URL: 'https://vouchsafe.example/' }), openBare)
    expect(app.url).toBe('https://vouchsafe.example')
    await app.stop()
  })
})
