import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { erasuresOf } from '../../../tools/campaign/erasures/journal.ts'
import { wrongEvents, wrongKept } from '../../../tools/campaign/erasures/verdict.ts'
import {
  openWithPorts,
  seedConnection,
  seedExchanges,
  STATES,
  walletEndpoint,
} from '../../../tools/flows/seeded.ts'
import { startReceiver } from '../../../tools/flows/webhook-receiver.ts'
import { onPlace, type Place } from '../../../tools/harness/place.ts'
import { type Json, runningService, WAIT } from '../../e2e/running-service.ts'

/**
 * `CONNECTION_EXCHANGES=10000 npm test -- <this file>` has the number of the contract, and `CONNECTION_ERASURE_LOG` names a
 * file for its figures.
 */
const EXCHANGES = Number(process.env['CONNECTION_EXCHANGES'] ?? 1_000)
const FINISHED_LIMIT_MS = 60_000 + EXCHANGES * 120
/** The first one comes while the holder of the small connection is being told. */
const KILLS_AFTER_MS = [300, 400, 900, 300]
const ANSWERED_WITHIN_MS = 5_000

const { CONNECTION_ERASURE_LOG: logFile } = process.env
const say = (what: string): void => {
  if (logFile !== undefined) appendFileSync(logFile, `${Math.round(performance.now() / 1_000)} s  ${what}\n`)
}

type Ends = { readonly wallet: string; readonly hanging: string; readonly webhooks: string }

/** Two connections to erase, one with many exchanges in all states, and one to leave alone. */
const seed = async (place: Place, { wallet, hanging, webhooks }: Ends) => {
  const { open, ports } = openWithPorts()
  const service = await runningService(place.settings, place.dataFolder, {}, open)
  const { tenant } = service
  const eventTypes = ['record.erased']
  const endpoint = await service.order('webhook set', { tenant, url: webhooks, eventTypes })
  const order = { ...ports(), tenant }
  const seeded = async (count: number, url = wallet) => {
    const { id } = await seedConnection(order, url)
    return { id, exchanges: (await seedExchanges(order, id, count)).ids }
  }
  const all = {
    large: await seeded(EXCHANGES),
    small: await seeded(2 * STATES, hanging),
    neighbour: await seeded(2 * STATES),
  }
  await service.app.stop()
  return { ...all, apiKey: service.apiKey, secret: String(endpoint['secret']) }
}

/** By the path that the API has for it. */
const pathOf = (id: string): string =>
  `/v1/${id.startsWith('con') ? 'connections' : id.startsWith('cre') ? 'credentials' : 'proofs'}/${id}`

it(`a connection with ${EXCHANGES} exchanges is erased whole, however often the process is killed`, async () => {
  const wallet = await walletEndpoint()
  const hanging = await walletEndpoint(true)
  const receiver = await startReceiver(() => undefined)
  await onPlace(
    (place) => place.addOwnLedger(),
    async (place) => {
      const ends = { wallet: wallet.url, hanging: hanging.url, webhooks: receiver.url }
      const { large, small, neighbour, apiKey, secret } = await seed(place, ends)
      say('seeded')
      receiver.useSecret(secret)
      const { service, url } = await place.startService()
      const send = async (method: string, path: string): Promise<Json> => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { Authorization: `Bearer ${apiKey}` },
        })
        return (await response.json()) as Json
      }
      const erase = (id: string): Promise<Json> => send('POST', `${pathOf(id)}/erase`)
      const kill = async (): Promise<void> => {
        const running = await service.untilReady()
        running.kill()
        await running.ended
        await service.untilReady()
      }
      const erasures = async (): Promise<number> => Number((await send('GET', '/v1/erasures'))['total'])
      const beside = [neighbour.id, ...neighbour.exchanges]
      const shown = () => Promise.all(beside.map((id) => send('GET', pathOf(id))))

      const before = await shown()
      const startedMs = performance.now()
      expect(await erase(large.id)).toMatchObject({ state: 'closed', theirLabel: null })
      const answeredMs = performance.now() - startedMs
      say(`answered after ${Math.round(answeredMs)} ms`)
      expect(answeredMs).toBeLessThan(ANSWERED_WITHIN_MS)
      const unanswered = erase(small.id).catch(() => null)
      for (const afterMs of KILLS_AFTER_MS) {
        await pause(afterMs)
        await kill()
        say(`killed; ${await erasures()} are erased`)
      }
      // It is finished without being asked for once more.
      expect(await unanswered).toBeNull()
      const erased = [large.id, ...large.exchanges, small.id, ...small.exchanges]
      await expect.poll(erasures, { ...WAIT, timeout: FINISHED_LIMIT_MS }).toBe(erased.length)
      say('all are erased')
      await expect
        .poll(() => receiver.events.length, { ...WAIT, timeout: FINISHED_LIMIT_MS })
        .toBe(erased.length)
      say('all webhooks are there')

      const after = await shown()
      expect(beside.flatMap((id, index) => wrongKept({ id }, before[index], after[index]))).toEqual([])
      await service.stop()
      expect(service.failures).toEqual([])
      say(`starts: ${service.startsMs.map((ms) => Math.round(ms)).join(', ')} ms`)
      expect(wrongEvents(receiver.events, new Set(erased))).toEqual([])
      expect(receiver.refused).toEqual([])
      expect(new Set(await erasuresOf(place.engine, erased))).toEqual(new Set([1]))
      expect(new Set(await erasuresOf(place.engine, beside))).toEqual(new Set([0]))
    },
  )
  wallet.close()
  hanging.close()
  receiver.close()
}, 3_600_000)
