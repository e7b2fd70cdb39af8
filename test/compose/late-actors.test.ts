import { actorsThat } from '../host/parts/actors-that.ts'
import { describe, expect, it } from 'vitest'
import { lateActors } from '../../src/compose/late-actors.ts'

const options = { commandId: '', timeoutMs: 1, tenant: null }

describe('actors that are not there yet', () => {
  it('are unavailable for now, then answer', async () => {
    const actors = lateActors()
    await expect(actors.ask('x', {}, options)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(actors.askTogether([], () => false, options)).rejects.toMatchObject({ retryable: true })
    actors.set(actorsThat({ ask: () => Promise.resolve('yes'), askTogether: () => Promise.resolve([1]) }))
    expect([await actors.ask('x', {}, options), await actors.askTogether([], () => false, options)]).toEqual([
      'yes',
      [1],
    ])
  })
})
