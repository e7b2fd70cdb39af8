import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { kafka } from '../../engines/engines.ts'
import { type Arrived, isGenuine, startReceiver } from '../../webhooks/receiver.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { EventsProcess } from './events-process.ts'

const tenants = ['ten_00aaaaaaaa', 'ten_01bbbbbbbb'] as const
const KILLS = 5
const CONNECTIONS = 60
const STEPS = [1, 2, 3]

const environmentOf = async (engine: 'in-process' | 'kafka', dataFolder: string) => ({
  VOUCHSAFE_DATA_FOLDER: dataFolder,
  VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
  VOUCHSAFE_STREAM: engine,
  VOUCHSAFE_KAFKA_BROKERS: engine === 'kafka' ? (await kafka()).brokers.join(',') : '',
  VOUCHSAFE_KAFKA_TOPIC_PREFIX: `events-${process.pid}-${Date.now()}`,
})

const idOf = ({ body }: Arrived): string => (JSON.parse(body) as { id: string }).id
const connectionOf = (index: number): string => `con_0${index % 4}${String(index).padStart(10, '0')}`

describe.each(['in-process', 'kafka'] as const)('events over the stream %s', (engine) => {
  it('all arrive, genuine, while the service is killed again and again', async () => {
    const dataFolder = temporaryFolder('vouchsafe-events')
    const seed = Math.floor(Math.random() * 1_000_000)
    let state = seed
    const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    await using service = new EventsProcess(await environmentOf(engine, dataFolder))
    const accepted = new Set<string>()
    await using receiver = await startReceiver((arrived, response) => {
      // Some attempts fail after they arrived: the timers of their repetition must survive the kills too.
      const fails = random() < 0.1
      if (!fails) accepted.add(idOf(arrived))
      response.writeHead(fails ? 500 : 200).end()
    })
    await service.start()
    const secrets = await Promise.all(
      tenants.map((tenant) => service.order({ is: 'endpoint', tenant, url: receiver.url })),
    )
    const orders: Promise<unknown>[] = []
    const ordering = (async () => {
      for (let index = 0; index < CONNECTIONS; index++) {
        const tenant = tenants[index % 2] ?? tenants[0]
        orders.push(service.order({ is: 'connect', connection: connectionOf(index), tenant }))
        await sleep(random() * 40)
      }
    })()
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(100 + random() * 600)
      await service.kill()
      await service.start()
    }
    await ordering
    await Promise.all(orders)
    const expected = Array.from({ length: CONNECTIONS }, (_, index) =>
      STEPS.map((step) => `evt_${connectionOf(index)}_${step}`),
    ).flat()
    const missing = (): readonly string[] => expected.filter((id) => !accepted.has(id))
    await expect.poll(missing, { timeout: 180_000, interval: 200, message: `seed ${seed}` }).toEqual([])
    expect(new Set(receiver.ids()).size).toBe(expected.length)
    for (const arrived of receiver.arrived) {
      const { tenantId } = JSON.parse(arrived.body) as { tenantId: (typeof tenants)[number] }
      expect(isGenuine(arrived, secrets[tenants.indexOf(tenantId)] ?? ''), idOf(arrived)).toBe(true)
    }
    await service.kill()
    const stored = readdirSync(dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    for (const secret of secrets) expect(stored.some((bytes) => bytes.includes(secret ?? '?'))).toBe(false)
    expect(stored.some((bytes) => bytes.includes('Phone of Ada'))).toBe(false)
  }, 420_000)
})
