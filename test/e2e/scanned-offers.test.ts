import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openWithPorts, seedConnection } from '../../tools/flows/seeded.ts'
import { Scan } from '../../tools/scan/scan.ts'
import { freshFolder, runningService, WAIT } from './running-service.ts'
import { scannedStores } from './scanned-stores.ts'
import { seedRunningJob, waitingIn } from './waiting-item.ts'

const canary = (what: string): string => `canary of ${what} ${randomBytes(6).toString('hex')}`

describe.each(scannedStores)('what an item of many offers says, on $name', ({ name: on, open }) => {
  it('is sealed while it waits, and gone at the answer to the erasure of its connection', async () => {
    const folder = freshFolder()
    const store = await open(folder)
    onTestFinished(() => store.close())
    const { open: openService, ports } = openWithPorts()
    const { app, tenant, send } = await runningService(store.settings, folder, {}, openService)
    onTestFinished(async () => void (await app.stop()))
    const at = { ...ports(), tenant }
    const seeded = ['erased', 'another'].map(async (key) => {
      const { id: connectionId } = await seedConnection(at, 'http://127.0.0.1:9/')
      // Otherwise it would have its result soon, and nothing of it would wait any more.
      return { key, name: canary(key), connectionId, isNoOffer: key === 'another' }
    })
    const people = await Promise.all(seeded)
    const job = await seedRunningJob(at, tenant, people)
    const names = new Map(people.map(({ key, name }) => [key, name]))
    const scan = new Scan(store.disk)
    const before = await scan.find(names)
    expect(before.plain).toEqual([])
    expect(new Set(before.opened.map((hit) => hit.split(' as ')[0]))).toEqual(new Set(names.keys()))

    expect((await send('POST', `/v1/connections/${people[0]?.connectionId}/erase`)).status).toBe(200)
    const ofErased = new Map([...names].slice(0, 1))
    // Cassandra's files keep the sealed key until the clean-up.
    if (on === 'SQLite') expect(await scan.find(ofErased)).toEqual({ plain: [], opened: [] })
    await store.cleanUp()
    await expect.poll(() => scan.find(ofErased), WAIT).toEqual({ plain: [], opened: [] })
    // What the other said waits still, in the body that its job names, on the disk and not in memory alone.
    await expect.poll(() => waitingIn(at, job), WAIT).toEqual(['another', 'altered'])
    await store.cleanUp()
    const ofAnother = new Map([...names].slice(1))
    expect((await scan.find(ofAnother)).opened).not.toEqual([])
  }, 600_000)
})
