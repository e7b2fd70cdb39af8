import { expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { engineSettings } from '../../../src/persistence/engine-settings.ts'
import { callService } from '../../../src/cli/service-call.ts'
import { openWithPorts, STATES } from '../../../tools/flows/seeded.ts'
import { backends } from '../../e2e/backends.ts'
import { clockFrom } from '../../e2e/given-clock.ts'
import { freshFolder, runningService, WAIT } from '../../e2e/running-service.ts'
import { canary } from '../vault/parts/passport-office.ts'
import { actorsIn, idsOf, listener, seedOrganisation, untilStatus, viewOf } from './organisation.ts'

/** Exchanges in each state over each connection. */
const COUNT = { connections: 2, exchanges: 2 * STATES, wallets: 2 }
const SETTINGS = { VOUCHSAFE_RETENTION_RECORDS_PER_SECOND_MAX: '400' }
const OVER_MS = 7.01 * 86_400_000

it('an organisation goes whole when its seven days are over, and no neighbour with it, on Cassandra', async () => {
  const others = await listener()
  others.heard.takes = true
  const backend = backends.find(({ name }) => name.startsWith('Cassandra'))
  const folder = freshFolder()
  const settings = { ...(await backend?.settings(folder)), ...SETTINGS }
  const clock = clockFrom(Date.now())
  const { open, ports } = openWithPorts()
  const service = await runningService(settings, folder, { runtime: clock.runtime }, open)
  const { order } = service
  const at = { service, ports: ports(), wallet: others.url, webhooks: others.url }
  const doomed = await seedOrganisation({ ...at, name: canary('doomed') }, COUNT)
  const neighbour = await seedOrganisation({ ...at, name: canary('neighbour') }, { ...COUNT, wallets: 0 })
  const engine = engineSettings(loadConfig({ VOUCHSAFE_DATA_FOLDER: folder, ...settings }))
  const { tenant, name, apiKey, erased } = doomed
  const call = callService(folder)
  const gone = idsOf(doomed)
  const leftOf = async (): Promise<readonly string[]> => (await actorsIn(engine)).filter((id) => gone.has(id))
  await expect.poll(async () => (await leftOf()).length, WAIT).toBe(gone.size)

  await order('tenant delete', { tenant, name })
  clock.hold(clock.runtime.now() + OVER_MS)
  clock.run()
  await untilStatus(order, tenant, 'deleted')
  expect(await order('tenant show', { tenant })).toMatchObject({ status: 'deleted', name: null })
  expect((await service.send('GET', '/v1/connections', undefined, apiKey)).status).toBe(401)
  await expect.poll(leftOf, WAIT).toEqual([])
  const left = await actorsIn(engine)
  expect(left).toContain(erased)
  expect(left).toEqual(expect.arrayContaining([...idsOf(neighbour)].filter((id) => !id.startsWith('inv'))))
  expect((await viewOf(call, neighbour)).size).toBeGreaterThan(neighbour.exchanges.length)
  await service.app.stop()
  others.close()
}, 600_000)
