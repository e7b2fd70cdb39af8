import { describe, expect, it } from 'vitest'
import { ProcessCalls } from '../../../src/ledger/process-calls.ts'

describe('calls into the ledger process', () => {
  it('fail as retryable when there is no pool to ask', async () => {
    await using calls = new ProcessCalls({ genesis: 'nonsense' }, { callTimeoutMs: 5000, callsMax: 10 })
    for (const _ of [1, 2]) {
      await expect(calls.call({ do: 'refresh' })).rejects.toMatchObject({
        name: 'LedgerUnavailable',
        retryable: true,
      })
    }
  })

  it('are bounded in number', async () => {
    await using calls = new ProcessCalls({ genesis: 'nonsense' }, { callTimeoutMs: 5000, callsMax: 2 })
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => calls.call({ do: 'refresh' })))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(String((outcomes[2] as PromiseRejectedResult).reason)).toMatch(/too many/)
  })

  it('start no process once they are closed, so that a read which is tried again leaves none behind', async () => {
    const calls = new ProcessCalls({ genesis: 'nonsense' }, { callTimeoutMs: 5000, callsMax: 10 })
    await calls[Symbol.asyncDispose]()
    await expect(calls.call({ do: 'refresh' })).rejects.toThrow('the ledger client is closed')
  })
})
