import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definitionRoutes } from '../../../src/actors/credential-definition/routes.ts'
import { orders } from '../../../src/cli/orders.ts'
import type { Answer, Call } from '../../../src/cli/service-call.ts'
import { called } from '../../compose/called-route.ts'
import { listing } from '../../compose/service-on-memory.ts'
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

/** `vouchsafe definition keys` beside the routes alone. */
const shown = (organisation = tenantId): Promise<unknown> => {
  const caller = { kind: 'member', tenantId: organisation, memberId: 'local', role: 'admin' } as const
  const call: Call = async (method, path) => {
    expect([method, path]).toEqual(['GET', `/v1/credential-definitions/${definitionId}/key-generation`])
    const routes = definitionRoutes({ ...at, directory: listing([]), namespace: 'sandbox' })
    return (await called(routes, 'getKeyGeneration', { caller, params: { id: definitionId } })) as Answer
  }
  return orders['definition keys'](call, { tenant: organisation, id: definitionId })
}

describe('the keys of a definition', () => {
  it('wait for their turn, are being made, and are made', async () => {
    const turn = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    at.world.keysWait = async (begun) => {
      await turn.promise
      begun()
      await end.promise
    }
    await at.ask(definitionId, orderedDefinition)
    expect(await shown()).toMatchObject({ state: 'waiting', beganAt: null, runningSeconds: null })
    turn.resolve()
    await eventually(async () =>
      expect(await shown()).toMatchObject({
        state: 'running',
        beganAt: expect.stringMatching(/Z$/) as unknown,
        runningSeconds: 0,
      }),
    )
    end.resolve()
    await eventually(async () => expect(await shown()).toMatchObject({ state: 'made', beganAt: null }))
  })

  it('wait for their turn again where a failure or a crash has cut them off', async () => {
    let attempts = 0
    at.world.keysWait = (begun) => {
      attempts += 1
      if (attempts < 3) begun()
      if (attempts === 1) return Promise.reject(new Error('its process was killed'))
      return new Promise(() => undefined)
    }
    await at.ask(definitionId, orderedDefinition)
    await eventually(() => expect(JSON.stringify(at.journal.batches)).toContain('KeysQueued'))
    expect(await shown()).toMatchObject({ state: 'waiting' })
    await eventually(async () => {
      at.runtime.forward(1_000)
      expect([attempts, await shown()]).toMatchObject([2, { state: 'running' }])
    })
    await at.crash()
    await eventually(async () => {
      at.runtime.forward(1_000)
      expect([attempts, await shown()]).toMatchObject([3, { state: 'waiting', beganAt: null }])
    })
  })

  it('are made before the ledger has taken it, and stay where it refuses it', async () => {
    at.world.refuses = true
    await at.ask(definitionId, orderedDefinition)
    await eventually(async () => expect(await shown()).toMatchObject({ state: 'made' }))
  })

  it('have failed where none could be made', async () => {
    at.world.badKeys = true
    await at.ask(definitionId, orderedDefinition)
    await eventually(async () => expect(await shown()).toMatchObject({ state: 'failed' }))
  })

  it('are not shown to another organisation', async () => {
    await at.ask(definitionId, orderedDefinition)
    expect(await shown('ten_00bbbbbbbb')).not.toMatchObject({ state: expect.anything() as unknown })
  })
})
