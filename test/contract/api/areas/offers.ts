import { randomUUID } from 'node:crypto'
import { limits } from '../../../../src/domain/limits.ts'
import { type Case, edge, refuses, type Samples } from '../table.ts'
import type { Answer, Json, World } from '../world.ts'

const OFFERS = '/v1/credentials/offers'
const JOBS = '/v1/credential-offer-jobs'
const NOBODYS = 'coj_00bbbbbbbbbb'

const itemOf = (
  { connectionId, definitionId: credentialDefinitionId, now }: World,
  more: Json = {},
): Json => ({
  idempotencyKey: randomUUID(),
  connectionId,
  credentialDefinitionId,
  attributes: { name: 'Ada', expiresAt: String(Math.floor(now() / 1_000) + 3_600) },
  ...more,
})
const send = (at: World, body: unknown): Promise<Answer> =>
  at.ask('POST', { as: 'key', target: OFFERS, body })
const job = async (at: World): Promise<string> =>
  `${JOBS}/${String((await send(at, { items: [itemOf(at)] })).json['id'])}`

export const offersSamples: Samples = {
  [`POST ${OFFERS}`]: (at) => ({ as: 'key', body: { items: [itemOf(at)] } }),
  [`GET ${JOBS}`]: () => ({ as: 'key' }),
  [`GET ${JOBS}/{id}`]: async (at) => ({ as: 'key', target: await job(at) }),
  [`GET ${JOBS}/{id}/items`]: async (at) => ({ as: 'key', target: `${await job(at)}/items` }),
}

export const offersCases: readonly Case[] = [
  {
    route: `POST ${OFFERS}`,
    shows: 'payload_too_large',
    run: async (at) => {
      const padded = (bytes: number): string => {
        const text = JSON.stringify({ items: [itemOf(at)] })
        return text.slice(0, -1) + ' '.repeat(bytes - text.length) + text.slice(-1)
      }
      return {
        accepted: await send(at, padded(limits.offersBodyBytesMax)),
        refused: await send(at, padded(limits.offersBodyBytesMax + 1)),
        as: 'payload_too_large',
      }
    },
  },
  edge(`POST ${OFFERS}`, 'no key twice', async (at) => {
    const item = itemOf(at)
    return {
      accepted: await send(at, { items: [item, itemOf(at)] }),
      refused: await send(at, { items: [item, { ...item, externalId: 'another' }] }),
      as: 'invalid_request',
      names: 'items.1.idempotencyKey',
    }
  }),
  edge(`POST ${OFFERS}`, 'no image', async (at) => ({
    accepted: await send(at, { items: [itemOf(at)] }),
    refused: await send(at, { items: [itemOf(at, { biometric: { referenceImage: 'x'.repeat(100) } })] }),
    as: 'invalid_request',
    names: 'biometric',
  })),
  edge(`POST ${OFFERS}`, 'what is wrong with an item alone is said of the item', async (at) => ({
    accepted: await send(at, { items: [itemOf(at, { connectionId: 'nobody', attributes: {} })] }),
    refused: await send(at, { items: [itemOf(at, { attributes: { name: 5 } })] }),
    as: 'invalid_request',
    names: 'attributes',
  })),
  ...['', '/items'].map((behind) =>
    refuses(`GET ${JOBS}/{id}${behind}`, 'not_found', (at) =>
      at.ask('GET', { as: 'key', target: `${JOBS}/${NOBODYS}${behind}` }),
    ),
  ),
]
