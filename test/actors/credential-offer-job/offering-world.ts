import { furnishedApi } from '../../compose/furnished-api.ts'
import { eventually } from '../../eventually.ts'
import { expect } from 'vitest'

export type Json = Readonly<Record<string, unknown>>

/** An organisation that sends requests for many offers, and looks at what became of them. */
export const openOffering = async () => {
  const { api, at, key } = await furnishedApi()

  let named = 0
  const item = (more: Json = {}): Json => ({
    idempotencyKey: `item ${++named}`,
    connectionId: at.connectionId,
    credentialDefinitionId: at.definitionId,
    attributes: { name: 'Ada', expiresAt: '2000000000' },
    ...more,
  })
  const send = (items: readonly Json[], headers: Readonly<Record<string, string>> = {}) =>
    api.send('POST', '/v1/credentials/offers', { as: key, body: { items }, headers })
  const get = async (path: string) => (await api.send('GET', path, { as: key })).json
  const finished = async (id: unknown): Promise<Json> =>
    eventually(async () => {
      const job = await get(`/v1/credential-offer-jobs/${String(id)}`)
      expect(job).toMatchObject({ status: 'finished' })
      return job
    })
  const itemsOf = async (id: unknown, query = ''): Promise<readonly Json[]> =>
    (await get(`/v1/credential-offer-jobs/${String(id)}/items${query}`))['items'] as readonly Json[]
  const offeredOf = async (items: readonly Json[]): Promise<readonly unknown[]> => {
    const { json } = await send(items)
    await finished(json['id'])
    return (await itemsOf(json['id'])).map(({ credentialId }) => credentialId)
  }
  /** The same offer by itself. */
  const alone = ({ idempotencyKey, ...body }: Json) =>
    api.send('POST', '/v1/credentials/offer', {
      as: key,
      body,
      headers: { 'idempotency-key': String(idempotencyKey) },
    })

  /** From now on no wave gets its items, until what this returns is called. */
  const holdItems = (): (() => void) => {
    const { bodies } = api.service
    const getBody = bodies.get.bind(bodies)
    const { promise, resolve } = Promise.withResolvers<void>()
    bodies.get = async (record, id) => {
      await promise
      return getBody(record, id)
    }
    return () => {
      bodies.get = getBody
      resolve()
    }
  }

  return { api, at, key, item, send, get, finished, itemsOf, offeredOf, alone, holdItems }
}

export const never = () => Promise.reject(new Error('only read'))
