import { afterAll, describe, expect, it } from 'vitest'
import { readLedgerCeiling, setLedgerCeiling } from '../../../src/actors/ledger-ceiling/commands.ts'
import { ledgerCeilingView } from '../../../src/actors/ledger-ceiling/record.ts'
import {
  ledgerCeilingDecider,
  type LedgerCeilingCommand,
  usedAt,
} from '../../../src/actors/ledger-ceiling/rules.ts'
import { publishSchema } from '../../../src/actors/schema/publish.ts'
import { beginDeletion, createTenant } from '../../../src/actors/tenant/commands.ts'
import { limits } from '../../../src/domain/limits.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'
import { runDecider } from '../../domain/run-decider.ts'
import { allowed } from '../account/accounts-world.ts'

const DAY_MS = 86_400_000
const tenant = 'ten_00aaaaaaaaaa'
const write = (atMs: number): LedgerCeilingCommand => ({ type: 'CountLedgerWrite', atMs, tenant })
const ceiling = (writesPerDay: number | null): LedgerCeilingCommand => ({
  type: 'SetLedgerCeiling',
  atMs: 0,
  tenant,
  writesPerDay,
})
const run = (...commands: LedgerCeilingCommand[]) => runDecider(ledgerCeilingDecider, commands)

describe('the ceiling of ledger writes', () => {
  it('ends with the day of UTC', () => {
    const [midnight, before] = [3 * DAY_MS, 3 * DAY_MS - 1]
    const { replies, state } = run(
      ceiling(2),
      write(before - 5),
      write(before),
      write(before),
      write(midnight),
    )
    expect(replies.at(-2)).toMatchObject({ refused: 'ledger_ceiling_reached' })
    expect(state).toEqual({ writesPerDay: 2, day: 3, usedInDay: 1 })
    expect(usedAt(state, midnight + DAY_MS)).toBe(0)
  })

  it('gives no day its writes twice, whatever the clocks of two nodes say', () => {
    const midnight = 3 * DAY_MS
    const { state, replies } = run(ceiling(2), write(midnight), write(midnight - 1), write(midnight))
    expect(state).toMatchObject({ day: 3, usedInDay: 2 })
    expect(replies.at(-1)).toMatchObject({ refused: 'ledger_ceiling_reached' })
  })

  it('counts from now on what is set, and the usual one where nothing is', () => {
    const writes = Array.from({ length: limits.ledgerWritesPerDayDefault }, () => write(1))
    expect(run(...writes).state.usedInDay).toBe(limits.ledgerWritesPerDayDefault)
    expect(run(...writes, write(1)).replies.at(-1)).toMatchObject({ refused: 'ledger_ceiling_reached' })
    expect(run(write(1), ceiling(1), write(2), ceiling(null), write(3)).state.usedInDay).toBe(2)
  })
})

describe('an organisation at its ceiling', async () => {
  const { service, at } = await furnishedService()
  afterAll(() => service.close())
  const { useCases, runtime } = service
  const order = (name: string) =>
    publishSchema(useCases, { tenant: at.tenant, name, version: '1.0', attributes: ['expiresAt'] })
  const view = async () =>
    ledgerCeilingView(at.tenant, allowed(await readLedgerCeiling(useCases, at.tenant)), runtime.now())

  it('publishes again on the next day, and what it has ordered costs nothing more', async () => {
    const { usedToday } = await view()
    allowed(await setLedgerCeiling(useCases, at.tenant, usedToday + 1))
    expect(await order('one')).toHaveProperty('id')
    expect(await order('two')).toMatchObject({ refused: 'ledger_ceiling_reached' })
    expect(await order('one')).toHaveProperty('id')
    expect(await view()).toEqual({
      organisationId: at.tenant,
      writesPerDay: usedToday + 1,
      usedToday: usedToday + 1,
    })
    runtime.forward(DAY_MS)
    expect((await view()).usedToday).toBe(0)
    expect(await order('two')).toHaveProperty('id')
  })

  it('is told what is wrong with a schema without paying for it', async () => {
    const { usedToday } = await view()
    expect(await order('')).toMatchObject({ refused: 'invalid_request' })
    expect((await view()).usedToday).toBe(usedToday)
  })

  it('gets none any more once its deletion has begun', async () => {
    const { id } = allowed(await createTenant(useCases, 'Museum'))
    allowed(await setLedgerCeiling(useCases, id, 5))
    allowed(await beginDeletion(useCases, id, runtime.now() - 8 * DAY_MS))
    expect(await setLedgerCeiling(useCases, id, 6)).toMatchObject({ refused: 'not_found' })
  })
})
