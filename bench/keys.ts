import { setTimeout as pause } from 'node:timers/promises'
import type { GiveOrder } from '../tools/harness/orders.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { ATTRIBUTES } from './subjects/exchange-flows.ts'
import { type ExchangeStage, openStage } from './subjects/exchange-stage.ts'
import { untilShown } from './subjects/published-definition.ts'

const LOOK_EVERY_MS = 500
const LIMIT_MS = 1_800_000
/** A wait may grow by so many service times while keys are made. */
const SERVICE_TIMES_MAX = 2

export const benchmark = defineBenchmark({
  about: 'Answers to offers and whole issuances beside credential definitions whose keys are being made',
  options: {
    organisations: { type: 'number', default: 4, about: 'that order definitions at the same time' },
    of_each: {
      type: 'number',
      default: 4,
      quick: 2,
      about: 'definitions of each of them that wait at any time',
    },
    connections: { type: 'number', default: 32, about: 'over which another organisation issues' },
    per_s: { type: 'number', default: 4, about: 'offers in a second' },
    seconds: { type: 'number', default: 20, quick: 5, about: 'of each measurement' },
  },
  bars: {
    offer_wait_service_times: { atMost: SERVICE_TIMES_MAX },
    issuance_wait_service_times: { atMost: SERVICE_TIMES_MAX },
    turns_apart_max: { atMost: 2 },
  },
  async run({ options, open, progress, note }) {
    const { per_s: perS, of_each: ofEach } = options
    const stage = await openStage(open, { engine: 'auto', atOnce: 64, publish: true, prepared: true })
    const connections = await stage.connect(options.connections)
    for (let round = 0; round < 4; round += 1) await stage.issue(connections)
    const measured = async () => ({
      offer: await stage.offer(connections, perS, options.seconds * 1_000),
      issuance: await stage.offer(connections, perS, options.seconds * 1_000, 'done'),
    })
    const alone = await measured()
    progress(`alone: an offer ${shown(alone.offer)}, an issuance ${shown(alone.issuance)}`)
    const crowd = await queuedKeys(stage, options.organisations, ofEach)
    const beside = await measured()
    const left = crowd.left()
    progress(`beside: an offer ${shown(beside.offer)}, an issuance ${shown(beside.issuance)}`)
    const { turnsApart, seconds, definitions } = await crowd.end()
    await stage.checkWebhooks()
    note('Service time: the median alone. A wait: how much later the p99 is beside the keys than alone.')
    note('turns_apart_max: by how many definitions one organisation was ahead while all had some left.')
    return {
      offer_wait_service_times: (beside.offer.p99Ms - alone.offer.p99Ms) / alone.offer.p50Ms,
      issuance_wait_service_times: (beside.issuance.p99Ms - alone.issuance.p99Ms) / alone.issuance.p50Ms,
      turns_apart_max: turnsApart,
      offer_p50_alone_ms: alone.offer.p50Ms,
      offer_p50_beside_ms: beside.offer.p50Ms,
      offer_p99_alone_ms: alone.offer.p99Ms,
      offer_p99_beside_ms: beside.offer.p99Ms,
      issuance_p50_alone_ms: alone.issuance.p50Ms,
      issuance_p50_beside_ms: beside.issuance.p50Ms,
      issuance_p99_alone_ms: alone.issuance.p99Ms,
      issuance_p99_beside_ms: beside.issuance.p99Ms,
      definitions,
      definitions_left_after_measuring: left,
      all_definitions_s: seconds,
    }
  },
})

type Taken = { readonly p50Ms: number; readonly p99Ms: number }
const shown = ({ p50Ms, p99Ms }: Taken): string => `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`

/**
 * Each of several organisations has so many definitions waiting for their keys at any time, until `end` is called: then
 * those that are ordered come to their end.
 */
const queuedKeys = async (stage: ExchangeStage, organisations: number, ofEach: number) => {
  const order: GiveOrder = async (name, input) => (await stage.parts.service.call('order', name, input)).value
  const orderers = await Promise.all(
    Array.from({ length: organisations }, async (_, number) => {
      const tenant = String((await order('tenant create', { name: `Keys ${number}` }))['id'])
      const key = String((await order('key create', { tenant, label: 'bench' }))['key'])
      const schema = { tenant, name: 'keys', version: '1.0', attributes: ATTRIBUTES }
      const schemaId = String((await order('schema publish', schema))['id'])
      await untilShown(order, 'schema show', { id: schemaId, tenant }, ({ status }) => status === 'published')
      return { tenant, key, schemaId, ordered: 0, published: 0 }
    }),
  )
  const startedMs = performance.now()
  const fill = async (): Promise<void> => {
    // One of each in turn, so that none is ahead by its orders.
    for (let more = ofEach; more > 0; more -= 1)
      for (const orderer of orderers) {
        const { tenant, schemaId, ordered, published } = orderer
        if (ordered - published >= ofEach) continue
        await order('definition publish', { tenant, schemaId, tag: `keys-${ordered}` })
        orderer.ordered += 1
      }
  }
  const look = async (): Promise<void> => {
    for (const orderer of orderers) orderer.published = await publishedOf(stage.backend.url, orderer.key)
  }
  const left = () => orderers.reduce((sum, { ordered, published }) => sum + ordered - published, 0)
  const enough = new AbortController()
  let turnsApart = 0
  const follow = async (): Promise<void> => {
    for (; left() > 0 || !enough.signal.aborted; await pause(LOOK_EVERY_MS)) {
      await look()
      if (!enough.signal.aborted) await fill()
      const counts = orderers.map(({ published }) => published)
      if (!enough.signal.aborted) turnsApart = Math.max(turnsApart, Math.max(...counts) - Math.min(...counts))
      if (performance.now() - startedMs > LIMIT_MS) throw new Error('the definitions do not come to an end')
    }
  }
  await fill()
  const following = follow()
  following.catch(() => undefined)
  return {
    left,
    end: async () => {
      enough.abort()
      await following
      const definitions = orderers.reduce((sum, { published }) => sum + published, 0)
      return { turnsApart, definitions, seconds: (performance.now() - startedMs) / 1_000 }
    },
  }
}

const publishedOf = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(`${url}/v1/credential-definitions?status=published`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return ((await answer.json()) as { readonly total: number }).total
}
