import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ordersBy } from '../../../tools/harness/orders.ts'
import { onPlace, type Place } from '../../../tools/harness/place.ts'
import { embeddedDisk, Scan } from '../../../tools/scan/scan.ts'
import { runningService, WAIT } from '../../e2e/running-service.ts'
import { openWithPorts } from '../../../tools/flows/seeded.ts'
import { canary } from '../vault/parts/passport-office.ts'
import {
  actorsIn,
  idsOf,
  listener,
  patientCalls,
  seedOrganisation,
  startClocked,
  untilStatus,
  viewOf,
} from './organisation.ts'

/**
 * `ORGANISATION_DELETION=full npm test -- <this file>` has the numbers of a campaign, and `ORGANISATION_DELETION_LOG` names
 * a file for its figures; the short form is the same with fewer.
 */
const size =
  process.env['ORGANISATION_DELETION'] === 'full'
    ? { exchanges: 10_000, wallets: 100, kills: 10, perSecond: 400, killEveryMs: 8_000 }
    : { exchanges: 200, wallets: 5, kills: 2, perSecond: 100, killEveryMs: 700 }
const SETTINGS = { VOUCHSAFE_RETENTION_RECORDS_PER_SECOND_MAX: String(size.perSecond) }

const { ORGANISATION_DELETION_LOG: logFile } = process.env
const say = (what: string): void => {
  if (logFile !== undefined) appendFileSync(logFile, `${Math.round(performance.now() / 1_000)} s  ${what}\n`)
}

const seed = async (place: Place, wallet: string, webhooks: string, others: string) => {
  const { open, ports } = openWithPorts()
  const service = await runningService(place.settings, place.dataFolder, {}, open)
  const at = { service, ports: ports(), wallet, webhooks }
  const doomed = await seedOrganisation({ ...at, name: canary('doomed') }, size)
  const neighbour = await seedOrganisation(
    { ...at, wallet: others, webhooks: others, name: canary('neighbour') },
    // A wallet that never connects is revoked in this time.
    { exchanges: 65, wallets: 0 },
  )
  await service.app.stop()
  return { doomed, neighbour }
}

/**
 * `ORGANISATION_DELETION_ON=cassandra` takes a cluster of one node instead; a small deletion there, without kills, is a test of
 * its own.
 */
const isOnCassandra = process.env['ORGANISATION_DELETION_ON'] === 'cassandra'
const places = [
  { on: 'SQLite', add: (place: Place) => place.addOwnLedger() },
  {
    on: 'Cassandra and Kafka',
    add: async (place: Place): Promise<void> => {
      await place.addLedger()
      await place.addCassandra({ nodes: 1 })
      await place.addKafka()
    },
  },
]

it.each(places.filter(({ on }) => (on === 'SQLite') !== isOnCassandra))(
  'an organisation is restored as it was on the sixth day, and afterwards goes whole, however often the process is killed, on $on',
  async ({ on, add }) => {
    const [wallet, webhooks, others] = await Promise.all([listener(), listener(), listener()])
    others.heard.takes = true
    await onPlace(add, async (place) => {
      const { doomed, neighbour } = await seed(place, wallet.url, webhooks.url, others.url)
      say('seeded')
      say(`before: ${(await actorsIn(place.engine)).length} actors`)
      const { tenant, name } = doomed
      const scan = new Scan(embeddedDisk(place.dataFolder))
      const { service, url, kill, pass } = await startClocked(place, SETTINGS)
      const call = patientCalls(place.dataFolder)
      const order = ordersBy(call)
      const statusOf = async (path: string) =>
        (await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${doomed.apiKey}` } })).status

      // What was on its way when the seeding service stopped is over.
      await pause(3_000)
      const before = await viewOf(call, doomed)
      say('looked at')
      await expect(order('tenant delete', { tenant, name: 'Another' })).rejects.toThrow('name')
      expect(await order('tenant delete', { tenant, name })).toMatchObject({ status: 'deletion_ordered' })
      await expect.poll(() => statusOf('/v1/connections'), WAIT).toBe(403)
      await expect(order('tenant resume', { tenant })).rejects.toThrow('restore')
      // What had begun may end.
      await pause(2_000)
      wallet.heard.takes = true
      webhooks.heard.takes = true
      const heard = [wallet.heard.posts, webhooks.heard.posts]
      for (let day = 0; day < 6; day++) {
        pass(1)
        await pause(500)
        if (day % 3 === 0) await kill()
      }
      await pause(2_000)
      expect([wallet.heard.posts, webhooks.heard.posts]).toEqual(heard)

      say('six days')
      expect(await viewOf(call, doomed)).toEqual(before)
      expect([wallet.heard.posts, webhooks.heard.posts]).toEqual(heard)
      expect(await order('tenant restore', { tenant })).toMatchObject({ status: 'active', deletesAt: null })
      await expect.poll(() => statusOf('/v1/connections'), WAIT).toBe(200)
      say('restored')
      // What rested goes on within some minutes.
      pass(600 / 86_400)
      await expect.poll(() => wallet.heard.taken, WAIT).toBeGreaterThan(0)
      await expect.poll(() => webhooks.heard.taken, WAIT).toBeGreaterThan(0)
      const waiting = [...before].filter(([, shown]) =>
        JSON.stringify(shown).includes('"state":"request-sent"'),
      )
      expect(waiting.length).toBeGreaterThan(0)
      const after = await viewOf(call, doomed)
      for (const [id] of waiting) expect([id, JSON.stringify(after.get(id))]).not.toContain('abandoned')

      if (on === 'SQLite') await scan.rememberKeys()
      say(`heard since: ${wallet.heard.taken} by wallets, ${webhooks.heard.taken} webhooks`)
      const beside = await viewOf(call, neighbour)
      const running = await call('GET', `/v1/credential-offer-jobs/${doomed.jobs[0]}`, {
        organisation: tenant,
      })
      expect(running).toMatchObject({ status: 'running', total: 2 })
      await order('tenant delete', { tenant, name })
      pass(7.01)
      await untilStatus(order, tenant, 'deleting')
      await expect(order('tenant restore', { tenant })).rejects.toThrow('begun')
      for (let kills = 0; kills < size.kills; kills++) {
        await pause(size.killEveryMs)
        await kill()
        say(`kill ${kills + 1}: ${String((await order('tenant show', { tenant }))['status'])}`)
      }
      const walked = performance.now()
      await untilStatus(order, tenant, 'deleted')
      say(`deleted, ${Math.round((performance.now() - walked) / 1_000)} s after the last kill`)
      expect(await order('tenant show', { tenant })).toMatchObject({ status: 'deleted', name: null })
      await expect.poll(() => statusOf('/v1/connections'), WAIT).toBe(401)
      expect(await viewOf(call, neighbour)).toEqual(beside)
      const log = await call('GET', `/v1/operator/audit-log?organisation=${tenant}`)
      const actions = (log['items'] as { readonly action: string }[]).map(({ action }) => action)
      // The last attempt to call it back, and the order before it.
      expect(actions.slice(0, 2)).toEqual(['restoreTenant', 'deleteTenant'])
      // The files of Cassandra have their own times, and their own test. The name leaves the lists a moment later.
      if (on === 'SQLite')
        await expect
          .poll(() => scan.find(doomed.secrets), { timeout: 60_000, interval: 500 })
          .toEqual({ plain: [], opened: [] })

      const gone = idsOf(doomed)
      // A job that was over by itself in those days goes a moment after it is in no list any more.
      await expect
        .poll(async () => (await actorsIn(place.engine)).filter((id) => gone.has(id)), WAIT)
        .toEqual([])
      await service.stop()
      expect(service.failures).toEqual([])
      say(`starts: ${service.startsMs.map((ms) => Math.round(ms)).join(', ')} ms`)
      const left = await actorsIn(place.engine)
      expect(left.filter((id) => gone.has(id))).toEqual([])
      expect(left).toContain(doomed.erased)
      expect(left).toEqual(
        expect.arrayContaining([...neighbour.connections, ...neighbour.exchanges, ...neighbour.published]),
      )
      say(`looked through: ${left.length} actors are left`)
    })
    for (const each of [wallet, webhooks, others]) each.close()
  },
  3_600_000,
)
