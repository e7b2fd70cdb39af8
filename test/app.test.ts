import { describe, expect, it } from 'vitest'
import { type App, startApp } from '../src/app.ts'
import { type Config, loadConfig } from '../src/config/config.ts'
import type { OpenPart } from '../src/parts.ts'
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

const part =
  (name: string, order: string[], probe: () => Promise<void> = async () => undefined): OpenPart =>
  async () => {
    order.push(`open ${name}`)
    return { name, probe, [Symbol.asyncDispose]: async () => void order.push(`stop ${name}`) }
  }

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

describe('the application', () => {
  it('opens its parts in order and stops them in the opposite one', async () => {
    const order: string[] = []
    const app = await startApp(config(), [part('journal', order), part('stream', order)])
    expect(await app.stop()).toBe(true)
    expect(order).toEqual(['open journal', 'open stream', 'stop stream', 'stop journal'])
  })

  it('is degraded and not ready while a part is down, and recovers with it', async () => {
    let broken = false
    const probe = async () => {
      if (broken) throw new Error('away')
    }
    const app: App = await startApp(config(), [part('journal', [], probe)])
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

  it('closes what it had opened when a later part cannot be opened', async () => {
    const order: string[] = []
    const failing: OpenPart = () => Promise.reject(new Error('the store is away'))
    await expect(startApp(config(), [part('journal', order), failing])).rejects.toThrow('the store is away')
    expect(order).toEqual(['open journal', 'stop journal'])
  })

  it('stops the other parts when one fails to, and gives up on one that hangs', async () => {
    const order: string[] = []
    const failing: OpenPart = async () => ({
      name: 'stream',
      probe: async () => undefined,
      [Symbol.asyncDispose]: () => Promise.reject(new Error('x')),
    })
    const app = await startApp(config(), [part('journal', order), failing])
    expect(await app.stop()).toBe(true)
    expect(order).toContain('stop journal')
    const hanging: OpenPart = async () => ({
      name: 'stream',
      probe: async () => undefined,
      [Symbol.asyncDispose]: () => new Promise<void>(() => undefined),
    })
    const stuck = await startApp(config({ VOUCHSAFE_DRAIN_TIMEOUT_MS: '100' }), [hanging])
    expect(await stuck.stop()).toBe(false)
  })

  it('describes itself', async () => {
    const app = await startApp(config({ VOUCHSAFE_HTTP_ENGINE: 'node' }), [])
    const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      paths: Record<string, unknown>
    }
    expect(Object.keys(document.paths)).toContain('/v1/health')
    const page = await (await fetch(`${app.url}/docs/api/service`)).text()
    expect(page).toContain('/v1/health')
    await app.stop()
  })

  it('names itself by the public address when it has one', async () => {
    const app = await startApp(config({ VOUCHSAFE_PUBLIC_URL: 'https://vouchsafe.example/' }), [])
    expect(app.url).toBe('https://vouchsafe.example')
    await app.stop()
  })
})
