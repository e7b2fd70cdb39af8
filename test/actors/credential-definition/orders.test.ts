import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definitionOrders } from '../../../src/actors/credential-definition/orders.ts'
import { orders } from '../../../src/cli/orders.ts'
import type { Answer, Call } from '../../../src/cli/service-call.ts'
import { called } from '../../compose/called-route.ts'
import { eventually } from '../../eventually.ts'
import {
  type CatalogueWorld,
  catalogueWorld,
  definitionId,
  orderedDefinition,
  tenantId,
} from '../catalogue-world.ts'

let at: CatalogueWorld
beforeEach(async () => {
  at = await catalogueWorld()
  await at.createTenant()
  await eventually(() => expect(at.written).toHaveLength(1))
})
afterEach(() => at.close())

/** `vouchsafe` beside the routes of the private port alone. */
const shown = (organisation = tenantId): Promise<unknown> => {
  const caller = { kind: 'member', tenantId: organisation, memberId: 'local', role: 'admin' } as const
  const call: Call = async (method, path) => {
    expect([method, path]).toEqual(['GET', `/local/credential-definitions/${definitionId}`])
    const request = { caller, params: { id: definitionId } }
    return (await called(
      definitionOrders({ ...at, namespace: 'sandbox' }),
      'getCredentialDefinition',
      request,
    )) as Answer
  }
  return orders['definition show'](call, { tenant: organisation, id: definitionId })
}

describe('a definition on the command line', () => {
  it('has keys before the ledger has taken it', async () => {
    at.world.away = true
    await at.ask(definitionId, orderedDefinition)
    await eventually(async () =>
      expect(await shown()).toMatchObject({ status: 'pending', keysMade: true, ledgerId: null }),
    )
  })

  it('keeps them where the ledger refuses it', async () => {
    at.world.refuses = true
    await at.ask(definitionId, orderedDefinition)
    const lastError = 'the ledger says no'
    await eventually(async () =>
      expect(await shown()).toMatchObject({ status: 'failed', keysMade: true, lastError }),
    )
  })

  it('has none where none could be made', async () => {
    at.world.badKeys = true
    await at.ask(definitionId, orderedDefinition)
    await eventually(async () => expect(await shown()).toMatchObject({ status: 'failed', keysMade: false }))
  })

  it('is not shown to another organisation', async () => {
    await at.ask(definitionId, orderedDefinition)
    expect(await shown('ten_00bbbbbbbb')).not.toMatchObject({ id: definitionId })
  })
})
