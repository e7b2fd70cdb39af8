import { describe, expect, it } from 'vitest'
import { eraseExchanges } from '../../../src/actors/connection/exchanges.ts'
import type { ConnectionRecord } from '../../../src/actors/connection/state.ts'
import { ActorFailed, AskFailed } from '../../../src/ports/actors.ts'
import { KeyLost } from '../../../src/ports/vault.ts'
import { givenPorts } from '../given-ports.ts'

const ids = ['cre_00aaaaaaaa', 'cre_00bbbbbbbb', 'cre_00cccccccc']
const actor = 'con_00aaaaaaaa'
const context = { actor, effectId: 'erasure', signal: new AbortController().signal, forward: () => null }
const connection = {
  tenant: 'ten_00aaaaaaaa',
  erasedBy: 'operator',
  closing: { by: 'operator' },
} as ConnectionRecord

/** A page of exchanges, of which the second one fails. */
const erasing = async (failure: Error | null, total = ids.length, ended = connection) => {
  const asked: unknown[] = []
  const outcome = eraseExchanges(
    givenPorts({
      runtime: { now: () => 5 } as never,
      lists: {
        caughtUpWith: () => Promise.resolve(),
        // Another node's lists may have less.
        list: () => Promise.resolve({ rows: [], total: 0 }),
        listHere: ({ filters, kind, page }) => {
          expect({ filters, kind, page }).toEqual({
            filters: { connectionId: actor },
            kind: 'credential',
            page: 1,
          })
          return Promise.resolve({ rows: ids.map((id) => ({ id })) as never, total })
        },
      },
      actors: {
        ask: (to: string, command: object) => {
          asked.push([to, command])
          return failure !== null && to === ids[1] ? Promise.reject(failure) : Promise.resolve({})
        },
      } as never,
    }),
    { id: 'x', kind: 'erase-exchanges', connection: ended, page: { list: 'credential', page: 1 } },
    context,
  )
  return { outcome: await outcome.catch((error: unknown) => error), asked }
}
const settled = {
  type: 'RecordExchangesErased',
  atMs: 5,
  by: 'operator',
  at: { list: 'credential', page: 1 },
}

describe('the exchanges of an erased connection', () => {
  it('are asked to be erased with it, for the same reason', async () => {
    const { outcome, asked } = await erasing(null)
    const command = {
      type: 'EraseRecord',
      atMs: 5,
      tenant: 'ten_00aaaaaaaa',
      by: 'operator',
      withConnection: true,
    }
    expect(asked).toEqual(ids.map((id) => [id, command]))
    expect(outcome).toEqual({ ...settled, isComplete: true, isLast: true })
    expect((await erasing(null, 1_000)).outcome).toMatchObject({ isLast: false })
  })

  it('end with the word of a wallet that has hung up, and nothing is erased', async () => {
    const hungUp = { ...connection, erasedBy: null, closing: { by: 'holder', exchanges: null } } as const
    const { outcome, asked } = await erasing(null, ids.length, hungUp)
    const command = { type: 'CancelExchange', atMs: 5, tenant: 'ten_00aaaaaaaa', by: 'holder' }
    expect(asked).toEqual(ids.map((id) => [id, command]))
    expect(outcome).toEqual({ ...settled, by: 'holder', isComplete: true, isLast: true })
  })

  it('do not wait for one that cannot be read, which is left for the next round', async () => {
    const { outcome, asked } = await erasing(new ActorFailed('cre_00bbbbbbbb', { cause: null }))
    expect(asked).toHaveLength(ids.length)
    expect(outcome).toEqual({ ...settled, isComplete: false, isLast: true })
  })

  it('do not wait for one whose key is lost, which never changes again', async () => {
    const { outcome } = await erasing(new KeyLost('cre_00bbbbbbbb'))
    expect(outcome).toEqual({ ...settled, isComplete: true, isLast: true })
  })

  it('are tried again where the store does not answer', async () => {
    const failure = new AskFailed('unavailable', 'away', 1)
    expect((await erasing(failure)).outcome).toBe(failure)
  })
})
