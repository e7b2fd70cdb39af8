import { afterAll, expect, it } from 'vitest'
import { AskFailed, type AskOptions } from '../../../src/ports/actors.ts'
import { furnishedApi } from '../../compose/furnished-api.ts'
import { eventually } from '../../eventually.ts'

const PATH = '/v1/webhook/deliveries'
const { api, key, admin } = await furnishedApi()
afterAll(() => api.close())

const attemptsOf = async (id: string): Promise<unknown> =>
  (await api.send('GET', `${PATH}/${id}`, { as: key })).json['attempts']

it('a delivery is sent again by the repetition of a request that found its shard away, and by no further one', async () => {
  const { actors } = api.service
  const body = { url: 'https://backend.example/hook' }
  expect((await api.send('PUT', '/v1/webhook', { as: admin, body })).status).toBe(201)
  const { json } = await api.send('POST', '/v1/webhook/test', { as: admin })
  const id = String(json['id'])
  await eventually(async () => expect(await attemptsOf(id)).toBe(1))

  const retry = () =>
    api.send('POST', `${PATH}/${id}/retry`, { as: admin, headers: { 'idempotency-key': 'once' } })
  const there = { ...actors }
  const away = (to: never, command: { readonly type?: string }, options: AskOptions) =>
    command.type === 'RetryDelivery'
      ? Promise.reject(new AskFailed('unavailable', 'away', 100))
      : there.ask(to, command, options)
  Object.assign(actors, { ask: away })
  expect((await retry()).status).toBe(503)
  Object.assign(actors, there)
  expect((await retry()).status).toBe(202)
  await eventually(async () => expect(await attemptsOf(id)).toBe(2))
  const again = await retry()
  expect([again.status, again.headers['Idempotent-Replayed']]).toEqual([202, 'true'])
  expect(await attemptsOf(id)).toBe(2)
})
