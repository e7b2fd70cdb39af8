import { afterAll, describe, expect, it } from 'vitest'
import { openItems } from '../../../src/actors/credential-offer-job/kept-items.ts'
import { WAVE_ITEMS } from '../../../src/actors/credential-offer-job/read-offers.ts'
import { offerJob } from '../../../src/actors/credential-offer-job/rules.ts'
import { openItem } from '../../../src/actors/credential-offer-job/waiting-item.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { connected } from '../../compose/service-on-memory.ts'
import { eventually } from '../../eventually.ts'
import { never, openOffering } from './offering-world.ts'

const { api, at, key, item, send, itemsOf, holdItems } = await openOffering()
afterAll(() => api.close())

describe('what is left of a wave of many offers', () => {
  it('of which some come again keep what they say, also where bodies of other waves are deleted at that moment', async () => {
    const { vault, bodies, runtime, actors } = api.service
    const connectionId = await connected(api.service, at.tenant, 'ffffffffff')
    const open = holdItems()
    const [put, deleteOthers] = [bodies.put.bind(bodies), bodies.deleteOthers.bind(bodies)]
    const [isPut, isDeleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let deletions = 0
    bodies.deleteOthers = async (record, kept) => {
      await deleteOthers(record, kept)
      if (offerJob.find(record) === null) return
      deletions += 1
      // The first of them lasts until the rest is put, and the next follows because the state has moved on.
      if (deletions === 1) await isPut.promise
      else isDeleted.resolve()
    }
    const { json } = await send([
      ...Array.from({ length: 2 * WAVE_ITEMS + 1 }, () => item()),
      item({ connectionId }),
    ])
    const ref = offerJob.ref(String(json['id']))
    vault.unknown.add(connectionId)
    bodies.put = async (record, ...body) => {
      await put(record, ...body)
      if (record !== ref) return
      isPut.resolve()
      await isDeleted.promise
    }
    open()
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ offered: 2 * WAVE_ITEMS + 1 })
    })
    bodies.put = put
    bodies.deleteOthers = deleteOthers
    vault.unknown.clear()
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ status: 'finished', offered: 2 * WAVE_ITEMS + 2 })
    })
  })

  it('of which some come again keep what they say, also where a deletion from before comes to look at it', async () => {
    const { vault, bodies, runtime, actors } = api.service
    const connectionId = await connected(api.service, at.tenant, 'gggggggggg')
    const open = holdItems()
    const [put, deleteOthers] = [bodies.put.bind(bodies), bodies.deleteOthers.bind(bodies)]
    const isPut = Promise.withResolvers<void>()
    bodies.deleteOthers = async (record, kept) => {
      if (offerJob.find(record) !== null) await isPut.promise
      await deleteOthers(record, kept)
    }
    const { json } = await send([
      ...Array.from({ length: 2 * WAVE_ITEMS + 1 }, () => item()),
      item({ connectionId }),
    ])
    const ref = offerJob.ref(String(json['id']))
    vault.unknown.add(connectionId)
    bodies.put = async (record, ...body) => {
      await put(record, ...body)
      if (record === ref) isPut.resolve()
    }
    open()
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ offered: 2 * WAVE_ITEMS + 1 })
    })
    bodies.put = put
    bodies.deleteOthers = deleteOthers
    vault.unknown.clear()
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ status: 'finished', offered: 2 * WAVE_ITEMS + 2 })
    })
  })

  it('say nothing any more once they are offered, while others of their wave still come again', async () => {
    const { vault, bodies, runtime, actors } = api.service
    const connectionId = await connected(api.service, at.tenant, 'eeeeeeeeee')
    const open = holdItems()
    const { json } = await send([
      item({ attributes: { name: 'Canary', expiresAt: '2000000000' } }),
      item({ connectionId }),
    ])
    const id = String(json['id'])
    vault.unknown.add(connectionId)
    open()
    const ref = offerJob.ref(id)
    await eventually(async () =>
      expect(await actors.read(ref)).toMatchObject({ offered: 1, waves: [{ isSetAside: true }] }),
    )
    const [{ credentialId } = {}] = await itemsOf(id)
    const path = `/v1/credentials/${String(credentialId)}`
    for (const what of ['cancel', 'erase'])
      expect((await api.send('POST', `${path}/${what}`, { as: key })).status).toBe(200)
    vault.unknown.clear()
    const job = await actors.read(ref)
    if (isRefused(job) || !('waves' in job)) throw new Error('the job is not there')
    const [wave] = job.waves
    const kept = { get: async (_: string, name: string) => bodies.kept.get(`${id}/${name}`) ?? null }
    const opened = {
      vault,
      runtime,
      bodies: { ...kept, put: never, delete: never, keepOnly: never, deleteOthers: never },
    }
    const waiting = (wave && (await openItems(opened, id, wave, job.createdAtMs))) ?? []
    const said = await Promise.all(waiting.map((each) => openItem(opened, each)))
    expect(said).toHaveLength(1)
    expect(JSON.stringify(said)).not.toContain('Canary')
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ status: 'finished', offered: 2 })
    })
  })
})
