import { fork } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { FromProcess } from '../../../src/ledger/indy-messages.ts'
import { genesisText, poolTransactions } from '../../../src/ledger/sandbox/genesis.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'

describe('the ledger process', () => {
  it('drafts a request that names its endorser, gives the text to sign, and ends when it is let go', async () => {
    const nodes = [{ alias: 'Node1', identity: identityFromSeed(Buffer.alloc(32, 1)), clientPort: 9 }]
    const genesis = genesisText(poolTransactions(nodes, '127.0.0.1'))
    const ledger = fork(new URL('../../../src/ledger/indy-process.ts', import.meta.url))
    ledger.send({ genesis, callTimeoutMs: 5_000 })
    const author = identityFromSeed(Buffer.alloc(32, 2)).did
    const endorser = identityFromSeed(Buffer.alloc(32, 3)).did
    const draft = { kind: 'schema', author, name: 'degree', version: '1.0', attributes: ['a'] }
    ledger.send({ call: 1, do: 'draft', draft, endorser, acceptance: null })
    const [answer] = (await once(ledger, 'message')) as [FromProcess]
    expect(answer.call).toBe(1)
    const { request, input } = JSON.parse('text' in answer ? answer.text : '{}') as {
      request: string
      input: string
    }
    expect(JSON.parse(request)).toMatchObject({ identifier: author, endorser, operation: { type: '101' } })
    expect(input).toContain(`endorser:${endorser}|identifier:${author}`)
    const ended = once(ledger, 'exit')
    ledger.disconnect()
    await ended
  })
})
