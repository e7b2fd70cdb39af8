import { limits } from '../../../../src/domain/limits.ts'
import { type Case, edge, type Samples } from '../table.ts'
import type { Answer, World } from '../world.ts'

const STREAM = '/v1/events/stream'

export const eventSamples: Samples = {
  [`GET ${STREAM}`]: () => ({ as: 'key' }),
  'POST /v1/events/trigger': () => ({ as: 'key', body: { eventType: 'credential.state_changed' } }),
}

/** With so many streams of an organisation open, what the next one is answered. */
const beside = async (at: World, open: number): Promise<Answer> => {
  const key = await at.keyOf(await at.newTenant())
  const held = await Promise.all(Array.from({ length: open }, () => at.hold(STREAM, key)))
  const answer = await at.raw('GET', { as: { bearer: key }, target: STREAM })
  for (const leave of held) leave()
  return answer
}

export const eventCases: readonly Case[] = [
  edge(`GET ${STREAM}`, 'streams of an organisation', async (at) => ({
    accepted: await beside(at, limits.eventStreamsOfTenantMax - 1),
    refused: await beside(at, limits.eventStreamsOfTenantMax),
    as: 'rate_limited',
    names: String(limits.eventStreamsOfTenantMax),
  })),
]
