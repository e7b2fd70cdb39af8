import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { childrenOf, usageOf } from '../../../bench/harness/process-usage.ts'
import { ProcessCalls } from '../../../src/ledger/process-calls.ts'
import { genesisText, poolTransactions } from '../../../src/ledger/sandbox/genesis.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { LedgerUnavailable } from '../../../src/ports/ledger.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

const MEASURED_MS = 2_000

describe('calls into the ledger process', () => {
  it('fail as retryable when there is no pool to ask', async () => {
    const calls = closedAtEnd(
      new ProcessCalls({ genesis: 'nonsense' }, { callTimeoutMs: 5000, callsMax: 10 }),
    )
    for (const _ of [1, 2]) {
      await expect(calls.call({ do: 'refresh' })).rejects.toMatchObject({
        name: 'LedgerUnavailable',
        retryable: true,
      })
    }
  })

  it('are bounded in number', async () => {
    const calls = closedAtEnd(new ProcessCalls({ genesis: 'nonsense' }, { callTimeoutMs: 5000, callsMax: 2 }))
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => calls.call({ do: 'refresh' })))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(String((outcomes[2] as PromiseRejectedResult).reason)).toMatch(/too many/)
  })

  it('start no process once they are closed, so that a read which is tried again leaves none behind', async () => {
    const calls = new ProcessCalls({ genesis: 'nonsense' }, { callTimeoutMs: 5000, callsMax: 10 })
    await calls[Symbol.asyncDispose]()
    await expect(calls.call({ do: 'refresh' })).rejects.toThrow('the ledger client is closed')
  })

  it('are over in the process too once they are over here: it waits with a whole core', async () => {
    const firstPort = await reservePorts(4)
    const nodes = [1, 2, 3, 4].map((number) => ({
      alias: `Node${number}`,
      identity: identityFromSeed(Buffer.alloc(32, number)),
      clientPort: firstPort + number - 1,
    }))
    const genesis = genesisText(poolTransactions(nodes, '127.0.0.1'))
    const calls = closedAtEnd(new ProcessCalls({ genesis }, { callTimeoutMs: 4_000, callsMax: 10 }))
    await expect(calls.call({ do: 'read', query: { kind: 'agreement' } })).rejects.toThrow(LedgerUnavailable)
    await pause(MEASURED_MS)
    const client = childrenOf(process.pid).find(({ command }) => command.includes('indy-process'))
    const cpuMs = () => usageOf(client?.pid ?? 0).cpuMs
    const beforeMs = cpuMs()
    await pause(MEASURED_MS)
    expect(cpuMs() - beforeMs).toBeLessThan(MEASURED_MS / 5)
  })
})
