import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { ModuleProcess } from '../../../tools/harness/module-process.ts'
import { Restarting } from '../../../tools/harness/restarting.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { kafka } from '../../engines/engines.ts'
import { type Arrived, isGenuine, startReceiver } from '../../webhooks/receiver.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

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

type Service = ModuleProcess<typeof import('./events-child.ts')>

const restartingService = (env: Readonly<Record<string, string>>) =>
  new Restarting<Service>({
    open: () => new ModuleProcess(new URL('./events-child.ts', import.meta.url), { env }),
    ready: (service) => service.usage(),
    stop: async (service) => {
      await service[Symbol.asyncDispose]()
      return service.ended
    },
  })

/** An order waits for a process and is given again until one has carried it out. */
const ordering =
  (service: Restarting<Service>) =>
  async <Answer>(give: (running: Service) => Promise<{ readonly value: Answer }>): Promise<Answer> => {
    for (;;) {
      const running = await service.untilReady()
      const done = await give(running).catch(() => null)
      if (done !== null) return done.value
      await sleep(10)
    }
  }

// What comes again waits for that, so both have room beside each other.
describe.concurrent.each(['in-process', 'kafka'] as const)('events over the stream %s', (engine) => {
  it('all arrive, genuine, while the service is killed again and again', async ({
    expect,
    onTestFinished,
  }) => {
    const dataFolder = temporaryFolder('vouchsafe-events')
    const seed = Math.floor(Math.random() * 1_000_000)
    const random = new Random(seed)
    const service = restartingService(await environmentOf(engine, dataFolder))
    onTestFinished(() => service.stop())
    const order = ordering(service)
    const accepted = new Set<string>()
    const receiver = await startReceiver((arrived, response) => {
      // Some attempts fail after they arrived: the timers of their repetition must survive the kills too.
      const fails = random.chance(0.1)
      if (!fails) accepted.add(idOf(arrived))
      response.writeHead(fails ? 500 : 200).end()
    })
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    service.start()
    const secrets = await Promise.all(
      tenants.map((tenant) => order((running) => running.call('setEndpoint', tenant, receiver.url))),
    )
    const orders: Promise<unknown>[] = []
    const connecting = (async () => {
      for (let index = 0; index < CONNECTIONS; index++) {
        const tenant = tenants[index % 2] ?? tenants[0]
        orders.push(order((running) => running.call('connect', connectionOf(index), tenant)))
        await sleep(random.next() * 40)
      }
    })()
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(100 + random.next() * 600)
      await service.untilReady()
      service.kill()
    }
    await connecting
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
    await service.stop()
    expect([service.startsMs.length, service.failures]).toEqual([1 + KILLS, []])
    const stored = readdirSync(dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    for (const secret of secrets) expect(stored.some((bytes) => bytes.includes(secret ?? '?'))).toBe(false)
    expect(stored.some((bytes) => bytes.includes('Phone of Ada'))).toBe(false)
  }, 420_000)
})
