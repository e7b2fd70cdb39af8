import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { callService } from '../../src/cli/service-call.ts'
import { Scan } from '../../tools/scan/scan.ts'
import { freshFolder, untilState, WAIT } from './running-service.ts'
import { scannedStoresOfOwn } from './scanned-stores.ts'
import { openServedWorld } from './served-world.ts'
import { vouchsafe } from './vouchsafe-command.ts'

const canary = (what: string): string => `canary of ${what} ${randomBytes(6).toString('hex')}`

describe.each(scannedStoresOfOwn)(
  'a backup from before erasures, restored with its keys, on $name',
  ({ name: on, open }) => {
    it('shows nothing of them once the export is replayed, and goes on', async () => {
      const world = await openServedWorld(open)
      const { folder, store, settings, service, receiver, person, wallet, holder } = world
      const { connect, offer, issue, inWallet, erase, pathOf, get } = world
      const { tenant, send } = service
      const { credentials } = wallet.agent.didcomm

      const erased = new Map(
        ['issued', 'running', 'of a connection', 'label', 'refusal'].map((what) => [what, canary(what)]),
      )
      const kept = new Map([['kept', canary('a neighbour')]])
      const of = (what: string): string => erased.get(what) ?? kept.get(what) ?? ''

      const doomed = await connect(of('label'))
      const stays = await connect('Phone of a neighbour')
      const issued = await issue(stays, of('issued'))
      const { json: asked } = await send('POST', '/v1/proofs/request', {
        connectionId: stays,
        proofTemplateId: person.templateId,
      })
      const shown = String(asked['id'])
      expect(await untilState(service, pathOf(shown), 'done')).toMatchObject({
        disclosed: { person: { name: of('issued') } },
      })
      const below = await issue(doomed, of('of a connection'))
      const neighbour = await issue(stays, of('kept'))
      holder.offers = 'ignore'
      const refused = await offer(stays, 'somebody')
      await credentials.sendProblemReport({
        credentialExchangeRecordId: await inWallet(refused),
        description: of('refusal'),
      })
      await untilState(service, pathOf(refused), 'declined')
      const running = await offer(stays, of('running'))
      const accepted = await inWallet(running)
      await untilState(service, pathOf(running), 'offer-sent')

      const backup = freshFolder()
      await store.backUp(backup)
      await credentials.acceptOffer({ credentialExchangeRecordId: accepted })
      await untilState(service, pathOf(running), 'done')
      holder.offers = 'accept'
      const after = await issue(stays, 'somebody else')
      const gone = [issued, shown, refused, running, after, doomed]
      for (const id of gone) await erase(pathOf(id))
      const all = [...gone, below]
      await vi.waitFor(
        async () => expect((await send('GET', '/v1/erasures')).json['total']).toBe(all.length),
        WAIT,
      )
      const local = callService(folder)
      await local('PUT', '/v1/data-retention', { organisation: tenant, body: { retentionDays: 30 } })
      const before = new Map(await Promise.all(all.map(async (id) => [id, await get(id)] as const)))
      const heard = () => receiver.events.filter(({ type }) => type === 'record.erased').map(({ id }) => id)
      await vi.waitFor(() => expect(heard()).toHaveLength(all.length), WAIT)
      const idsHeard = new Set(receiver.events.map(({ id }) => id))

      const file = join(freshFolder(), 'erasures')
      const written = await vouchsafe(settings, ['erasures', 'export', file])
      expect(written).toMatchObject({ code: 0, answer: { erasures: all.length, periods: 1 } })
      for (const text of [...erased.values(), ...kept.values()])
        expect(readFileSync(file, 'utf8')).not.toContain(text)
      const running409 = await vouchsafe(settings, ['erasures', 'replay', file])
      expect([running409.code, running409.said]).toEqual([
        1,
        expect.stringMatching(/already running|is running: stop/),
      ])

      await service.kill()
      await store.restore(backup)
      const scan = new Scan(store.disk)
      const people = new Map([...erased, ...kept])
      const restored = await scan.find(people)
      expect(new Set(restored.opened.map((hit) => hit.split(' as ')[0]))).toEqual(new Set(people.keys()))

      const foreign = `${file}.foreign`
      writeFileSync(
        foreign,
        readFileSync(file, 'utf8').replace(/"journal":"[^"]*"/, '"journal":"0123456789abcdef"'),
      )
      const cut = `${file}.cut`
      writeFileSync(cut, readFileSync(file, 'utf8').split('\n').slice(0, -2).join('\n'))
      for (const [wrong, sentence] of [
        [foreign, 'another installation'],
        [cut, 'is cut off'],
      ] as const) {
        const refusal = await vouchsafe(settings, ['erasures', 'replay', file, wrong])
        expect([refusal.code, refusal.said]).toEqual([1, expect.stringContaining(sentence)])
      }
      await vouchsafe(settings, ['erasures', 'replay', file], on === 'SQLite' ? 1_500 : 6_000)
      const replayed = await vouchsafe(settings, ['erasures', 'replay', file])
      expect(replayed, replayed.said).toMatchObject({ code: 0, answer: { unknown: 1, unreadable: [] } })
      const { erased: count, erasedBefore } = replayed.answer
      expect(Number(count) + Number(erasedBefore)).toBe(all.length - 1)
      const again = await vouchsafe(settings, ['erasures', 'replay', file])
      expect(again.answer).toMatchObject({ erased: 0, erasedBefore: all.length - 1, unknown: 1, periods: 0 })

      expect((await scan.find(erased)).plain).toEqual([])
      await store.cleanUp()
      await expect.poll(() => scan.find(erased), WAIT).toEqual({ plain: [], opened: [] })
      expect((await scan.find(kept)).opened).not.toEqual([])

      await service.start()
      await vi.waitFor(
        async () => expect((await get(neighbour))['attributes']).toMatchObject({ name: of('kept') }),
        WAIT,
      )
      for (const id of all.filter((each) => each !== after)) {
        const { erasedAt, attributes, disclosed, theirLabel, errorMessage } = await get(id)
        expect(erasedAt).toBe(before.get(id)?.['erasedAt'])
        expect([attributes ?? null, disclosed ?? null, theirLabel ?? null, errorMessage ?? null]).toEqual([
          null,
          null,
          null,
          null,
        ])
      }
      expect((await send('GET', `/v1/connections?q=${encodeURIComponent(of('label'))}`)).json['total']).toBe(
        0,
      )
      expect((await send('GET', '/v1/erasures')).json['total']).toBe(all.length - 1)
      expect((await local('GET', '/v1/data-retention', { organisation: tenant }))['retentionDays']).toBe(30)
      // The wallet goes on where it was.
      const next = await issue(stays, 'the next one')
      expect(await get(next)).toMatchObject({ attributes: { name: 'the next one' } })
      await vi.waitFor(
        () =>
          expect(receiver.events.some(({ data }) => data.id === next && data.state === 'done')).toBe(true),
        WAIT,
      )
      expect(heard()).toHaveLength(all.length)
      const unheard = receiver.events.filter(({ id, data }) => !idsHeard.has(id) && data.id !== next)
      expect(unheard).toEqual([])
      expect(receiver.refused).toEqual([])
    }, 600_000)
  },
)
