import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Scan } from '../../tools/scan/scan.ts'
import { mediatedPhone, offerPerson } from './mediated-phone.ts'
import { freshFolder, publishPerson, runningService, untilState, WAIT } from './running-service.ts'
import { scannedStores } from './scanned-stores.ts'

const canary = (what: string): string => `canary of ${what} ${randomBytes(6).toString('hex')}`

describe.each(scannedStores)(
  'what waits for a wallet behind our mediator, on $name',
  ({ name: on, open }) => {
    it('ends with its exchange, although its wallet never came for it and keys of its connection are there', async () => {
      const folder = freshFolder()
      const store = await open(folder)
      onTestFinished(() => store.close())
      const running = await runningService(store.settings, folder)
      onTestFinished(async () => void (await running.app.stop()))
      const service = { ...running, url: () => running.app.url }
      const person = await publishPerson(service)
      const phone = await mediatedPhone(service, 'polling')
      const connectionId = await phone.connect()
      const scan = new Scan(store.disk)

      await phone.sleep()
      const name = canary('a name')
      const people = new Map([['name', name]])
      const id = await offerPerson(service, person.definitionId, connectionId, name)
      await vi.waitFor(
        async () => {
          const { opened } = await scan.find(people)
          expect(opened.some((hit) => hit.includes('an envelope'))).toBe(true)
        },
        { ...WAIT, interval: 1_000 },
      )

      for (const step of ['cancel', 'erase'])
        await vi.waitFor(async () => {
          const { status } = await service.send('POST', `/v1/credentials/${id}/${step}`)
          expect([step, status]).toEqual([step, 200])
        }, WAIT)
      const { plain, opened } = await scan.find(people)
      expect(plain).toEqual([])
      // Cassandra's files keep the sealed key until the clean-up.
      if (on === 'SQLite') expect(opened).toEqual([])
      await store.cleanUp()
      await expect.poll(() => scan.find(people), WAIT).toEqual({ plain: [], opened: [] })

      await phone.wake()
      const next = await offerPerson(service, person.definitionId, connectionId, 'Ada')
      await untilState(service, `/v1/credentials/${next}`, 'done')
      expect(phone.saw(id)).not.toContain('offer-received')
      expect(await phone.names()).toEqual(['Ada'])
    }, 900_000)
  },
)
