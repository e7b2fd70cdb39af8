import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Canaries } from '../../tools/scan/forms.ts'
import { Scan } from '../../tools/scan/scan.ts'
import type { Scene } from '../../tools/vendors/people/camera.ts'
import { portrait } from '../../tools/vendors/people/portrait.ts'
import { checkingWallet } from './face-checks/checking-wallet.ts'
import { startVendors } from './face-checks/vendors.ts'
import { freshFolder, type Json, untilState, WAIT } from './running-service.ts'
import { scannedStores } from './scanned-stores.ts'
import { openServedWorld } from './served-world.ts'

/** Small letters and digits, which stand in the image as they are. */
const PERSON = `canaryofanimage${randomBytes(8).toString('hex')}`
const image = portrait({ faces: [{ person: PERSON }], bytes: 200_000 }).toString('base64')
const PICTURE: Canaries = new Map([['image', PERSON]])

const first = { livenessScore: 96.12345671, reason: 'The face does not match the reference image.' }
const second = { livenessScore: 97.12345678, matchScore: 95.87654321 }
const FOUND: Canaries = new Map([
  ['first liveness', String(first.livenessScore)],
  ['reason', first.reason],
  ['liveness', String(second.livenessScore)],
  ['match', String(second.matchScore)],
])

/** Where a sealed image may be during its check: in the file of bodies, or in Cassandra's table and its own log. */
const OF_IMAGES = /\/bodies\b|\/bodies-|commitlog|, body /
/** What is made from the journal, or is the journal; beside them stand the names of all other places. */
const NOT_OF_IMAGES = /journal\.db|directory|kafka|shard_log|actor_events|actor_snapshot/

const placesOf = (hits: readonly string[]): readonly string[] => hits.map((hit) => hit.split(' in ')[1] ?? '')

describe.each(scannedStores)('a face check, on $name', ({ name: on, open }) => {
  it('leaves its image nowhere, and what was found in no place in clear', async () => {
    const vendors = await startVendors()
    onTestFinished(async () => void (await vendors.stop()))
    const world = await openServedWorld(open, { VOUCHSAFE_AWS_URL: vendors.awsUrl })
    const { store, service, receiver, person, wallet, connect, offer, erase, pathOf, get } = world
    const phone = checkingWallet(wallet, vendors.capture)
    await service.order('biometric set', {
      tenant: service.tenant,
      ...vendors.policies.aws_rekognition,
      credentialDefinitionIds: [person.definitionId],
    })
    const scan = new Scan(store.disk)
    const inBackup = async (canaries: Canaries) => {
      const folder = freshFolder()
      await store.backUp(folder)
      return new Scan({ ...store.disk, folders: [folder] }).find(canaries)
    }

    const connectionId = await connect('Phone')
    const id = await offer(connectionId, 'Ada', { biometric: { referenceImage: image } })
    const checkId = await phone.checkOf(id)
    await untilState(service, pathOf(id), 'request-received')
    for (const { plain, opened } of [await scan.find(PICTURE), await inBackup(PICTURE)]) {
      expect(plain).toEqual([])
      // It is there, so this way of looking finds it.
      expect(opened).not.toEqual([])
      expect(placesOf(opened).filter((place) => !OF_IMAGES.test(place))).toEqual([])
      expect(placesOf(opened).filter((place) => NOT_OF_IMAGES.test(place))).toEqual([])
    }
    const attempt = async (scene: Partial<Scene> & Pick<Scene, 'people'>): Promise<void> =>
      phone.attempt(checkId, { sort: 'live', ...scene })
    await attempt({ people: ['stranger'], livenessScore: first.livenessScore })
    await phone.hears(checkId, 'again')
    expect(await get(id)).toMatchObject({ biometric: { ...first, attempts: 1 } })
    await attempt({ people: [PERSON], ...second })
    await untilState(service, pathOf(id), 'done')
    expect(await get(id)).toMatchObject({ biometric: { ...second, status: 'passed', reason: null } })
    await wait(1_000)

    const afterwards = await scan.find(PICTURE)
    expect(afterwards.plain).toEqual([])
    expect(placesOf(afterwards.opened).filter((place) => NOT_OF_IMAGES.test(place))).toEqual([])
    // Cassandra's files keep what is deleted until the clean-up.
    if (on === 'SQLite') expect(afterwards.opened).toEqual([])
    await store.cleanUp()
    await expect.poll(() => scan.find(PICTURE), WAIT).toEqual({ plain: [], opened: [] })
    expect(await inBackup(PICTURE)).toEqual({ plain: [], opened: [] })

    for (const { plain, opened } of [await scan.find(FOUND), await inBackup(FOUND)]) {
      expect(plain).toEqual([])
      expect(new Set(opened.map((hit) => hit.split(' as ')[0]))).toEqual(new Set(FOUND.keys()))
    }
    if (on !== 'SQLite')
      expect(placesOf((await scan.find(FOUND)).opened).some((place) => place.includes('kafka'))).toBe(true)
    // The organisation has heard of them all.
    await vi.waitFor(() => {
      const heard = JSON.stringify(receiver.events)
      for (const text of FOUND.values()) expect(heard).toContain(text)
    }, WAIT)

    await erase(pathOf(id))
    const erased = (await get(id))['biometric'] as Json
    expect(erased).toMatchObject({ status: 'passed', attempts: 2, livenessScore: null, matchScore: null })
    expect(erased['reason']).toBeNull()
    const gone = await scan.find(FOUND)
    expect(gone.plain).toEqual([])
    if (on === 'SQLite') expect(gone.opened).toEqual([])
    await store.cleanUp()
    await expect.poll(() => scan.find(FOUND), WAIT).toEqual({ plain: [], opened: [] })
  }, 900_000)
})
