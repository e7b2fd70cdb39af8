import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { readActor } from '../../src/persistence/journal-walk.ts'
import { engineSettings } from '../../src/persistence/engine-settings.ts'
import { openForInspection } from '../../src/persistence/open-engine.ts'
import { Scan } from '../../tools/scan/scan.ts'
import { freshFolder, type Json, untilState, WAIT } from './running-service.ts'
import { scannedStores } from './scanned-stores.ts'
import { openServedWorld } from './served-world.ts'

const random = (): string => randomBytes(6).toString('hex')
/** Small letters and digits, which lists keep as they are. */
const canary = (what: string): string => `canary of ${what} ${random()}`
/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:9/'

/** Where a hit is, without what is of one run. */
const PLACES = {
  SQLite: ['journal.db'],
  'Cassandra and Kafka': ['actor_events', 'actor_snapshot', 'shard_log', 'commitlog', 'kafka'],
} as Readonly<Record<string, readonly string[]>>

describe.each(scannedStores)('every personal field of a record, on $name', ({ name: on, open }) => {
  it('is sealed wherever it stands, and gone from there at the answer to its erasure', async () => {
    const world = await openServedWorld(open)
    const { store, settings, service, receiver, person, wallet, holder } = world
    const { connect, offer, issue, inWallet, pathOf, get } = world
    const { tenant, order, send } = service
    const { credentials, proofs } = wallet.agent.didcomm
    /** No face check asks for it yet, so it is kept nowhere. */
    const image = `canaryofanimage1${random()}`
    const canaries = new Map([
      ['value', canary('a value')],
      ['folded', canary('a folded value')],
      ['running', canary('a value under way')],
      ['refused offer', canary('words about an offer')],
      ['refused proof', canary('words about a proof')],
      ['label', canary('a label')],
    ])
    const of = (what: string): string => canaries.get(what) ?? ''
    const reads = () => openForInspection(engineSettings(loadConfig(settings)))
    const untilFolded = (id: string): Promise<void> =>
      vi.waitFor(
        async () => {
          const inspection = await reads()
          const { snapshot } = await readActor(inspection, id)
          await inspection[Symbol.asyncDispose]()
          // The space of its events is given back later.
          expect(snapshot).not.toBeNull()
        },
        { timeout: 120_000, interval: 2_000 },
      )

    const connectionId = await connect(of('label'))
    const folded = await issue(connectionId, of('folded'), {
      biometric: { referenceImage: image.repeat(4) },
    })
    const { json: asked } = await send('POST', '/v1/proofs/request', {
      connectionId,
      proofTemplateId: person.templateId,
    })
    const shown = String(asked['id'])
    expect(await untilState(service, pathOf(shown), 'done')).toMatchObject({
      disclosed: { person: { name: of('folded') } },
    })
    await untilFolded(folded)
    await untilFolded(shown)
    // In files; what follows stands in the commit log alone.
    await store.cleanUp()
    // From here on every webhook waits for its receiver.
    await order('webhook set', { tenant, url: AWAY, eventTypes: null })
    const key = { 'Idempotency-Key': randomUUID() }
    const body = {
      connectionId,
      credentialDefinitionId: person.definitionId,
      attributes: { name: of('value'), age: '36', expiresAt: '1999999999' },
    }
    const offered = await send('POST', '/v1/credentials/offer', body, key)
    const issued = String(offered.json['id'])
    await untilState(service, pathOf(issued), 'done')
    holder.offers = 'ignore'
    holder.proofs = 'ignore'
    const refusedOffer = await offer(connectionId, 'somebody')
    await credentials.sendProblemReport({
      credentialExchangeRecordId: await inWallet(refusedOffer),
      description: of('refused offer'),
    })
    await untilState(service, pathOf(refusedOffer), 'declined')
    const proofBody = { connectionId, proofTemplateId: person.templateId }
    const refusedProof = String((await send('POST', '/v1/proofs/request', proofBody)).json['id'])
    const [waiting] = await vi.waitFor(async () => {
      const found = await proofs.findAllByQuery({ threadId: refusedProof })
      expect(found).toHaveLength(1)
      return found
    }, WAIT)
    await proofs.sendProblemReport({
      proofExchangeRecordId: waiting?.id ?? '',
      description: of('refused proof'),
    })
    await untilState(service, pathOf(refusedProof), 'declined')
    const running = await offer(connectionId, of('running'))
    await untilState(service, pathOf(running), 'offer-sent')
    const labelled = async () =>
      (await send('GET', `/v1/connections?q=${encodeURIComponent(of('label'))}`)).json['total']
    expect(await labelled()).toBe(1)

    const scan = new Scan(store.disk)
    const before = await scan.find(canaries)
    // The label is what q looks for in the list of connections; that list alone has it.
    expect(before.plain.filter((hit) => !/^label .*directory\.sqlite/.test(hit))).toEqual([])
    expect(before.plain).not.toEqual([])
    expect(new Set(before.opened.map((hit) => hit.split(' as ')[0]))).toEqual(new Set(canaries.keys()))
    expect(await scan.find(new Map([['image', image]]))).toEqual({ plain: [], opened: [] })
    for (const place of PLACES[on] ?? [])
      expect([place, before.opened.some((hit) => hit.includes(place))]).toEqual([place, true])
    expect(scan.looked.keys).toBeGreaterThan(6)
    const backup = freshFolder()
    await store.backUp(backup)

    const erase = async (id: string): Promise<void> => {
      const { status } = await send('POST', `${pathOf(id)}/erase`)
      expect(status).toBe(200)
    }
    const goneAfter = async (...names: readonly string[]): Promise<void> => {
      const gone = new Map(names.map((name) => [name, of(name)]))
      const { plain, opened } = await scan.find(gone)
      expect(plain).toEqual([])
      // Cassandra's files keep the sealed key until the clean-up.
      if (on === 'SQLite') expect(opened).toEqual([])
    }
    await erase(folded)
    await erase(shown)
    await goneAfter('folded')
    await erase(issued)
    await goneAfter('value')
    await erase(refusedOffer)
    await erase(refusedProof)
    await goneAfter('refused offer', 'refused proof')
    const again = await send('POST', '/v1/credentials/offer', body, key)
    expect([again.headers.get('idempotent-replayed'), again.json['id'], again.json['attributes']]).toEqual([
      'true',
      issued,
      null,
    ])
    // What runs goes with its connection.
    await erase(connectionId)
    await goneAfter(...canaries.keys())
    expect(await labelled()).toBe(0)
    await store.cleanUp()
    await expect.poll(() => scan.find(canaries), WAIT).toEqual({ plain: [], opened: [] })

    const all = [folded, shown, issued, refusedOffer, refusedProof, running, connectionId]
    const nulls = async (): Promise<void> => {
      for (const id of all) {
        const text = JSON.stringify(await get(id))
        for (const secret of canaries.values()) expect(text).not.toContain(secret)
        expect((JSON.parse(text) as Json)['id']).toBe(id)
      }
    }
    await nulls()
    await order('webhook set', { tenant, url: receiver.url, eventTypes: null })
    const heardOf = (id: string) => receiver.events.some(({ data }) => data.id === id)
    await vi.waitFor(() => expect([issued, refusedOffer, refusedProof].every(heardOf)).toBe(true), {
      timeout: 180_000,
      interval: 500,
    })
    const heard = JSON.stringify(receiver.events)
    for (const what of ['value', 'running', 'refused offer', 'refused proof'])
      expect(heard).not.toContain(of(what))
    await untilFolded(issued)
    expect(await scan.find(canaries)).toEqual({ plain: [], opened: [] })

    await service.kill()
    await store.restoreJournal(backup)
    expect(await scan.find(canaries)).toEqual({ plain: [], opened: [] })
    await service.start()
    await vi.waitFor(nulls, WAIT)
    expect(await labelled()).toBe(0)
    expect(await scan.find(canaries)).toEqual({ plain: [], opened: [] })
  }, 900_000)
})
