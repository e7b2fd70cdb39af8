import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ordersBy } from '../../../tools/harness/orders.ts'
import { onPlace } from '../../../tools/harness/place.ts'
import { embeddedDisk, Scan } from '../../../tools/scan/scan.ts'
import { openWithPorts } from '../../../tools/flows/seeded.ts'
import { runningService, WAIT } from '../../e2e/running-service.ts'
import { vouchsafe } from '../../e2e/vouchsafe-command.ts'
import { canary } from '../vault/parts/passport-office.ts'
import {
  listener,
  patientCalls,
  seedOrganisation,
  startClocked,
  untilStatus,
  viewOf,
} from './organisation.ts'

const COUNT = { exchanges: 60, wallets: 2 }
const PER_SECOND = { VOUCHSAFE_RETENTION_RECORDS_PER_SECOND_MAX: '400' }

it('an organisation that was deleted is deleted again when a backup from before is restored with its keys', async () => {
  const [wallet, webhooks, others] = await Promise.all([listener(), listener(), listener()])
  await onPlace(
    (place) => place.addOwnLedger(),
    async (place) => {
      const { settings, dataFolder } = place
      const { open, ports } = openWithPorts()
      const seeding = await runningService(settings, dataFolder, {}, open)
      const at = { service: seeding, ports: ports(), wallet: wallet.url, webhooks: webhooks.url }
      const doomed = await seedOrganisation({ ...at, name: canary('doomed') }, COUNT)
      const neighbour = await seedOrganisation(
        { ...at, wallet: others.url, webhooks: others.url, name: canary('neighbour') },
        { exchanges: 10, wallets: 0 },
      )
      await seeding.app.stop()
      const backup = join(place.folder, 'backup')
      cpSync(dataFolder, backup, { recursive: true })

      const { service, url, pass } = await startClocked(place, PER_SECOND)
      const call = patientCalls(dataFolder)
      const order = ordersBy(call)
      const { tenant: organisation, name, secrets } = doomed
      await order('tenant delete', { tenant: organisation, name })
      const file = join(place.folder, 'erasures')
      // Until its deletion begins it may be called back.
      expect((await vouchsafe(settings, ['erasures', 'export', file])).answer).toMatchObject({ deletions: 0 })
      pass(7.01)
      await untilStatus(order, organisation, 'deleted')
      const written = await vouchsafe(settings, ['erasures', 'export', file])
      expect(written, written.said).toMatchObject({ code: 0, answer: { deletions: 1, calledBack: 0 } })
      for (const text of secrets.values()) expect(readFileSync(file, 'utf8')).not.toContain(text)
      await service.stop()

      rmSync(dataFolder, { recursive: true })
      cpSync(backup, dataFolder, { recursive: true })
      for (const end of ['', '-wal', '-shm'])
        rmSync(join(dataFolder, `directory.sqlite${end}`), { force: true })
      const scan = new Scan(embeddedDisk(dataFolder))
      const openedOf = async (people: ReadonlyMap<string, string>) =>
        new Set((await scan.find(people)).opened.map((hit) => hit.split(' as ')[0]))
      expect((await openedOf(secrets)).size).toBeGreaterThan(0)
      const beside = await openedOf(neighbour.secrets)
      await vouchsafe(settings, ['erasures', 'replay', file], 3_000)
      const replayed = await vouchsafe(settings, ['erasures', 'replay', file])
      const none = { unknown: 0, unfinished: [], calledBack: 0 }
      expect(replayed, replayed.said).toMatchObject({ code: 0, answer: { unreadable: [] } })
      expect(replayed.answer['organisations']).toEqual({ ...none, deleted: 1, deletedBefore: 0 })
      const again = await vouchsafe(settings, ['erasures', 'replay', file])
      expect(again.answer['organisations']).toEqual({ ...none, deleted: 0, deletedBefore: 1 })
      expect(await scan.find(secrets)).toEqual({ plain: [], opened: [] })
      expect(await openedOf(neighbour.secrets)).toEqual(beside)

      const heard = [wallet.heard.posts, webhooks.heard.posts]
      service.start()
      await service.untilReady()
      expect(await order('tenant show', { tenant: organisation })).toMatchObject({
        status: 'deleted',
        name: null,
      })
      const headers = { Authorization: `Bearer ${doomed.apiKey}` }
      await expect
        .poll(async () => (await fetch(`${url}/v1/connections`, { headers })).status, WAIT)
        .toBe(401)
      expect((await viewOf(call, neighbour)).size).toBeGreaterThan(neighbour.exchanges.length)
      await pause(2_000)
      expect([wallet.heard.posts, webhooks.heard.posts]).toEqual(heard)
    },
  )
  for (const each of [wallet, webhooks, others]) each.close()
}, 900_000)
