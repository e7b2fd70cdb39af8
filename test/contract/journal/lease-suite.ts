import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endedLease, isEnded, type LeaseStore, type NodeLease } from '../../../src/ports/lease.ts'
import { uniqueText } from './parts/slots.ts'

export type LeasesUnderTest = AsyncDisposable & { readonly leases: LeaseStore }

export const describeLeases = (engine: string, open: () => Promise<LeasesUnderTest>): void => {
  let subject: LeasesUnderTest
  let node: string
  const lease = (change: Partial<NodeLease> = {}): NodeLease => ({
    node,
    incarnation: 'first',
    counter: 1,
    address: '127.0.0.1:7000',
    linkAddress: '127.0.0.1:7001',
    state: 'alive',
    ...change,
  })
  const own = async (): Promise<NodeLease | undefined> =>
    (await subject.leases.list()).find((each) => each.node === node)

  describe(`leases on ${engine}`, () => {
    beforeAll(async () => {
      subject = await open()
      node = `node-${uniqueText()}`
    })
    afterAll(async () => subject[Symbol.asyncDispose]())

    it('are joined once, renewed step by step, and end for good', async () => {
      const { leases } = subject
      expect(await own()).toBeUndefined()
      expect(await leases.join(lease(), null)).toBe(true)
      expect(await leases.join(lease({ incarnation: 'second' }), null)).toBe(false)
      expect(await own()).toEqual(lease())

      expect(await leases.renew(lease())).toBe(true)
      expect(await leases.renew(lease())).toBe(false)
      expect(await leases.renew(lease({ counter: 2, incarnation: 'second' }))).toBe(false)
      expect(await own()).toEqual(lease({ counter: 2 }))

      expect(await leases.declareDead(lease())).toBe(false)
      expect(await leases.declareDead(lease({ counter: 2 }))).toBe(true)
      expect(await leases.renew(lease({ counter: 2 }))).toBe(false)
      expect(await own()).toEqual(lease({ counter: 2, state: 'dead' }))
    })

    it('are taken over by a new start of the node, from exactly the row that was read', async () => {
      const { leases } = subject
      const dead = lease({ counter: 2, state: 'dead' })
      const next = lease({ incarnation: 'second' })
      expect(await leases.join(next, lease({ counter: 9, state: 'dead' }))).toBe(false)
      expect(await leases.join(next, dead)).toBe(true)
      expect(await leases.join(lease({ incarnation: 'third' }), dead)).toBe(false)
      expect(await leases.renew(next)).toBe(true)
    })

    it('come step by step before they take part, and say whom they reach', async () => {
      const { leases } = subject
      const coming = { ...lease({ state: 'coming', reached: [] }), node: `node-${uniqueText()}` }
      const row = async () => (await leases.list()).find((each) => each.node === coming.node)
      expect(await leases.join(coming, null)).toBe(true)
      expect(await row()).toEqual(coming)
      expect(await leases.renew(coming)).toBe(false)
      const next: NodeLease = { ...coming, counter: 2, reached: ['n1', 'n2'] }
      expect(await leases.join(next, coming)).toBe(true)
      const alive: NodeLease = { ...next, counter: 3, state: 'alive' }
      expect(await leases.join(alive, next)).toBe(true)
      expect(await leases.join(alive, next)).toBe(false)
      expect(await leases.renew({ ...alive, reached: ['n2'] })).toBe(true)
      expect(await row()).toEqual({ ...alive, counter: 4, reached: ['n2'] })
    })

    it('are ended from exactly the row that was read, and then neither renewed nor ended again as they were', async () => {
      const { leases } = subject
      const held = { ...lease({ counter: 4 }), node: `node-${uniqueText()}` }
      const row = async () => (await leases.list()).find((each) => each.node === held.node)
      await leases.join(held, null)
      expect(await leases.end({ ...held, counter: 3 })).toBe(false)
      expect(await leases.end(held)).toBe(true)
      const ended = await row()
      expect(ended).toEqual(endedLease(held))
      expect([isEnded(held), ended && isEnded(ended)]).toEqual([false, true])
      expect(await leases.renew(held)).toBe(false)
      expect(await leases.end(held)).toBe(false)
      expect(await leases.declareDead(endedLease(held))).toBe(true)
    })

    it('are left only by the one who holds them', async () => {
      const { leases } = subject
      const held = lease({ incarnation: 'second', counter: 2 })
      await leases.leave(lease({ counter: 2 }))
      expect(await own()).toEqual(held)
      await leases.leave(held)
      expect(await own()).toEqual({ ...held, state: 'left' })
      expect(await leases.renew(held)).toBe(false)
    })

    it('let one of many who act on the same row win', async () => {
      const { leases } = subject
      const contested = { ...lease(), node: `node-${uniqueText()}` }
      const joins = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          leases.join({ ...contested, incarnation: `i-${index}` }, null),
        ),
      )
      expect(joins.filter(Boolean)).toHaveLength(1)
      const winner = { ...contested, incarnation: `i-${joins.indexOf(true)}` }
      const [renewed, ...deaths] = await Promise.all([
        leases.renew(winner),
        leases.declareDead(winner),
        leases.declareDead(winner),
      ])
      expect([renewed, ...deaths].filter(Boolean).length).toBeGreaterThan(0)
      expect(renewed && deaths.some(Boolean)).toBe(false)
    })

    it('let one of many renewals of the same row through', async () => {
      const { leases } = subject
      const held = { ...lease(), node: `node-${uniqueText()}` }
      await leases.join(held, null)
      const renewals = await Promise.all(Array.from({ length: 8 }, () => leases.renew(held)))
      expect(renewals.filter(Boolean)).toHaveLength(1)
      expect(await leases.list()).toContainEqual({ ...held, counter: 2 })
    })
  })
}
