import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connection } from '../../src/actors/connection/rules.ts'
import { credential } from '../../src/actors/credential/rules.ts'
import { resumeTenant, setRetention, suspendTenant } from '../../src/actors/tenant/commands.ts'
import { isRefused } from '../../src/domain/decider.ts'
import { passNinetyDays, retentionWorld } from './retention-world.ts'

describe('retention', () => {
  it('clears all and only what is older than the period in force, through 90 days', async () => {
    const fine = { exchanges: 92 * 3, failures: [], wrong: [], organisationsSwept: 3 }
    expect(await passNinetyDays(1)).toEqual(fine)
  }, 240_000)

  describe('day by day', () => {
    let world: Awaited<ReturnType<typeof retentionWorld>>
    beforeEach(async () => {
      world = await retentionWorld()
    })
    afterEach(() => world.close())

    const erased = async (): Promise<readonly boolean[]> => {
      await world.pass()
      await world.look()
      return world.exchanges.map(({ erasedOn }) => erasedOn !== null)
    }

    it('takes nothing of a suspended organisation, and what fell due when it is active again', async () => {
      const { useCases } = world.service
      const organisation = await world.organisation('Museum', 1)
      await world.finish(organisation)
      await suspendTenant(useCases, organisation.id)
      expect(await erased()).toEqual([false])
      expect(await erased()).toEqual([false])
      await resumeTenant(useCases, organisation.id)
      expect(await erased()).toEqual([true])
    })

    it('reaches the days before a period was shortened, and leaves what a longer one keeps', async () => {
      const { useCases } = world.service
      const organisation = await world.organisation('Museum', 90)
      await world.finish(organisation)
      for (let day = 0; day < 5; day++) await world.pass()
      await world.finish(organisation)
      await setRetention(useCases, organisation.id, 3)
      expect(await erased()).toEqual([true, false])
      await setRetention(useCases, organisation.id, 30)
      for (let day = 0; day < 5; day++) await world.pass()
      expect(await erased()).toEqual([true, false])
    })

    it('takes as much as was said before the period was set', async () => {
      const { useCases } = world.service
      const organisation = await world.organisation('Museum', 90)
      const other = await world.organisation('Library', 90)
      for (let day = 0; day < 5; day++) {
        await world.finish(organisation)
        await world.finish(other)
        await world.pass()
      }
      const said = await world.due(organisation.id, 3)
      // Of the connection only what its webhooks said.
      expect(said).toMatchObject([
        { kind: 'connection', records: 1 },
        { kind: 'credential', records: 3 },
      ])
      expect(await world.due(organisation.id, 10)).toEqual([])
      await setRetention(useCases, organisation.id, 3)
      await world.sweepNow()
      await world.look()
      expect(world.exchanges.filter(({ erasedOn }) => erasedOn !== null)).toHaveLength(3)
      expect(await world.due(organisation.id, 3)).toEqual([])
    })

    it('keeps a connection, and forgets what its webhooks said when their time is over', async () => {
      const { actors, runtime } = world.service
      const { id: tenant, connectionId } = await world.organisation('Museum', 2)
      const complete = { type: 'ReceiveConnectionComplete', atMs: runtime.now() } as const
      await actors.ask(connection.ref(connectionId), complete, { commandId: 'complete', tenant })
      const delivery = await world.delivered(tenant, connectionId, 2)
      const said = async (): Promise<unknown> => {
        const record = await actors.read(delivery)
        return isRefused(record) ? null : record.event.data
      }
      await world.pass()
      expect(await said()).toEqual({ id: connectionId })
      for (let day = 0; day < 2; day++) await world.pass()
      expect(await said()).toEqual({})
      expect(await actors.read(connection.ref(connectionId))).toMatchObject({
        status: 'completed',
        erasedAtMs: null,
        theirLabel: 'Phone',
      })
    })

    it('names in the log of erasures what it finds before the erasure of its connection does', async () => {
      const { actors, runtime } = world.service
      const organisation = await world.organisation('Museum', 2)
      await world.finish(organisation)
      // Until nothing is owed any more that would ask for the erasure by itself.
      await world.pass()
      const { id: tenant, connectionId } = organisation
      const erase = { type: 'EraseRecord', atMs: runtime.now(), tenant, by: 'tenant_member' } as const
      // The lists that the connection asks have no exchange, as if none had its turn yet.
      await actors.ask(connection.ref(connectionId), erase, { commandId: 'erase', tenant })
      for (let day = 0; day < 2; day++) await world.pass()
      const [exchange] = world.exchanges
      const record = await actors.read(credential.ref(exchange?.id ?? ''))
      expect(record).toMatchObject({ erasedBy: 'tenant_member', sequence: 3 })
    })

    it('finds what is due in lists that were lost and made again', async () => {
      const organisation = await world.organisation('Museum', 2)
      await world.finish(organisation)
      await world.pass()
      world.loseLists()
      expect(await erased()).toEqual([true])
      world.loseLists()
      expect(await erased()).toEqual([true])
    })
  })
})
