import { afterAll, beforeAll, expect, it } from 'vitest'
import { untilConfirmed } from './running-service.ts'
import { serviceUnderTest } from './service-under-test.ts'
import { openWorld, type World } from './whole-world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ name: 'one place', open: serviceUnderTest })
}, 240_000)
afterAll(() => world?.close())

const erase = async (path: string): Promise<unknown> =>
  (await untilConfirmed(() => world.service.send('POST', `${path}/erase`))).json['erasedAt']

const proves = async (connectionId: string): Promise<void> => {
  const id = await world.request(connectionId)
  expect(await world.proof(id, 'done')).toMatchObject({
    verified: true,
    disclosed: { person: { name: 'Ada' } },
  })
}

it('a credential still verifies when its exchange was erased, and when its connection was', async () => {
  const first = await world.connectPhone()
  const issued = await world.offer(first, 'Ada')
  await world.credential(issued, 'done')
  expect(await erase(`/v1/credentials/${issued}`)).toEqual(expect.any(String))
  await proves(first)

  expect(await erase(`/v1/connections/${first}`)).toEqual(expect.any(String))
  await proves(await world.connectPhone())
}, 240_000)
