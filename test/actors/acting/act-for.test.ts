import { afterAll, describe, expect, it } from 'vitest'
import { actorsOf, actorsThat } from '../../host/parts/actors-that.ts'
import {
  actingNow,
  actingOf,
  beginActing,
  endActing,
  endingActs,
} from '../../../src/actors/acting/act-for.ts'
import { kindOf, shardOf } from '../../../src/domain/references.ts'
import { endSessions, ownSessions } from '../../../src/actors/account/own-account.ts'
import { accountsWorld, allowed, otherTenantId, tenantId } from '../account/accounts-world.ts'

const world = await accountsWorld()
afterAll(() => world.close())

const order = { organisation: tenantId, reason: 'Ticket', mayChange: false }
const who = { accountId: 'acc_00operator', sessionId: 'session 1' }

describe('what a session acts for', () => {
  it('is what it began last, and nothing once that has ended', async () => {
    const { ports } = world
    expect(await actingNow(ports, who.sessionId)).toBeNull()
    const begun = allowed(await beginActing(ports, who, order))
    expect(begun).toMatchObject({ organisation: tenantId, operatorId: who.accountId, mayChange: false })
    expect(await actingNow(ports, who.sessionId)).toEqual(begun)
    allowed(await beginActing(ports, who, { ...order, organisation: otherTenantId, mayChange: true }))
    const period = await actingNow(ports, who.sessionId)
    expect(period).toMatchObject({ organisation: otherTenantId, mayChange: true, operatorId: who.accountId })
    await endActing(ports, who.sessionId)
    await endActing(ports, who.sessionId)
    expect(await actingNow(ports, who.sessionId)).toBeNull()
  })

  it('is nothing for an organisation that is not there', async () => {
    const { ports } = world
    const nobodys = { ...order, organisation: 'ten_00cccccccc' }
    expect(await beginActing(ports, who, nobodys)).toMatchObject({ refused: 'not_found' })
  })

  it('is found by the session', () => {
    expect(actingOf('session 1')).toBe(actingOf('session 1'))
    expect(actingOf('session 1')).not.toBe(actingOf('session 2'))
    expect(kindOf(actingOf('session 1'))).toBe('act')
    expect(shardOf(actingOf('session 1'))).not.toBeNull()
  })

  it('leaves what was done done when its end cannot be looked for', async () => {
    const { ports } = world
    const { accountId } = await world.enrolled(null, 'op2@example.org', 'operator')
    let isAway = false
    const asking = actorsOf(() => ports.actors)
    const run = async () => {
      isAway = true
      return 'done'
    }
    const actors = actorsThat({
      ...asking,
      ask: (...asked: unknown[]) =>
        isAway ? Promise.reject(new Error('away')) : (asking.ask as (...all: unknown[]) => unknown)(...asked),
    })
    expect(await endingActs({ ...ports, actors }, accountId, run)).toBe('done')
  })

  it('ends with the session, whatever ends that, and not with another one', async () => {
    const { ports } = world
    const { accountId } = await world.enrolled(null, 'op@example.org', 'operator')
    const [session] = await ownSessions(ports, accountId)
    const sessionId = session?.id ?? ''
    allowed(await beginActing(ports, { accountId, sessionId }, order))
    await endingActs(ports, accountId, () => Promise.resolve(null))
    expect(await actingNow(ports, sessionId)).not.toBeNull()
    allowed(await endSessions(ports, accountId))
    expect(await actingNow(ports, sessionId)).toBeNull()
  })
})
