import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { FromWorker } from '../../../src/ledger/indy-messages.ts'
import { genesisText, poolTransactions } from '../../../src/ledger/sandbox/genesis.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'

describe('the ledger thread', () => {
  it('drafts a request that names its endorser, gives the text to sign, and ends when it is told to', async () => {
    const nodes = [{ alias: 'Node1', identity: identityFromSeed(Buffer.alloc(32, 1)), clientPort: 9 }]
    const genesis = genesisText(poolTransactions(nodes, '127.0.0.1'))
    const worker = new Worker(new URL('../../../src/ledger/indy-worker.ts', import.meta.url), {
      workerData: { genesis },
    })
    const author = identityFromSeed(Buffer.alloc(32, 2)).did
    const endorser = identityFromSeed(Buffer.alloc(32, 3)).did
    const draft = { kind: 'schema', author, name: 'degree', version: '1.0', attributes: ['a'] }
    worker.postMessage({ call: 1, do: 'draft', draft, endorser })
    const [answer] = (await once(worker, 'message')) as [FromWorker]
    expect(answer.call).toBe(1)
    const { request, input } = JSON.parse('text' in answer ? answer.text : '{}') as {
      request: string
      input: string
    }
    expect(JSON.parse(request)).toMatchObject({ identifier: author, endorser, operation: { type: '101' } })
    expect(input).toContain(`endorser:${endorser}|identifier:${author}`)
    worker.postMessage('close')
    expect(await once(worker, 'exit')).toEqual([0])
  })
})
