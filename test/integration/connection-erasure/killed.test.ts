import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { erasuresOf } from '../../../tools/campaign/erasures/journal.ts'
import { onPlace, type Place } from '../../../tools/harness/place.ts'
import { type Json, runningService, WAIT } from '../../e2e/running-service.ts'
import { openWithPorts, seedConnection, seedExchanges, walletEndpoint } from '../../../tools/flows/seeded.ts'

const EXCHANGES = 1_000
/** The first one comes while the holder of the small connection is being told. */
const KILLS_AFTER_MS = [300, 400, 900, 300]

/** Two connections to erase, one with many exchanges in all states, and one to leave alone. */
const seed = async (place: Place, wallet: string, hanging: string) => {
  const { open, ports } = openWithPorts()
  const service = await runningService(place.settings, place.dataFolder, {}, open)
  const order = { ...ports(), tenant: service.tenant }
  const seeded = async (count: number, endpoint = wallet) => {
    const { id } = await seedConnection(order, endpoint)
    return { id, exchanges: (await seedExchanges(order, id, count)).ids }
  }
  const all = {
    large: await seeded(EXCHANGES),
    small: await seeded(26, hanging),
    neighbour: await seeded(26),
  }
  await service.app.stop()
  return { ...all, apiKey: service.apiKey }
}

it('a connection with a thousand exchanges is erased whole, however often the process is killed', async () => {
  const wallet = await walletEndpoint()
  const hanging = await walletEndpoint(true)
  await onPlace(
    (place) => place.addOwnLedger(),
    async (place) => {
      const { large, small, neighbour, apiKey } = await seed(place, wallet.url, hanging.url)
      const { service, url } = await place.startService()
      const send = async (method: string, path: string): Promise<Json> => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { Authorization: `Bearer ${apiKey}` },
        })
        return (await response.json()) as Json
      }
      const erase = (id: string): Promise<Json> => send('POST', `/v1/connections/${id}/erase`)
      const kill = async (): Promise<void> => {
        const running = await service.untilReady()
        running.kill()
        await running.ended
        await service.untilReady()
      }

      expect(await erase(large.id)).toMatchObject({ state: 'closed', theirLabel: null })
      const unanswered = erase(small.id).catch(() => null)
      for (const afterMs of KILLS_AFTER_MS) {
        await pause(afterMs)
        await kill()
      }
      // It is finished without being asked for once more.
      expect(await unanswered).toBeNull()
      const total = async (): Promise<unknown> => (await send('GET', '/v1/erasures'))['total']
      await expect.poll(total, { ...WAIT, timeout: 180_000 }).toBe(EXCHANGES + 26 + 2)

      expect(await send('GET', `/v1/connections/${neighbour.id}`)).toMatchObject({ state: 'completed' })
      await service.stop()
      expect(service.failures).toEqual([])
      const erased = [large.id, ...large.exchanges, small.id, ...small.exchanges]
      expect(new Set(await erasuresOf(place.engine, erased))).toEqual(new Set([1]))
      expect(new Set(await erasuresOf(place.engine, [neighbour.id, ...neighbour.exchanges]))).toEqual(
        new Set([0]),
      )
    },
  )
  wallet.close()
  hanging.close()
}, 480_000)
