import { describe, expect, it } from 'vitest'
import { genesisText, poolTransactions } from '../../../src/ledger/sandbox/genesis.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'

describe('the genesis file', () => {
  it('has a line for each validator, numbered from 1', () => {
    const nodes = [1, 2].map((n) => ({
      alias: `Node${n}`,
      identity: identityFromSeed(Buffer.alloc(32, n)),
      clientPort: 9700 + n,
    }))
    const lines = genesisText(poolTransactions(nodes, '127.0.0.1')).trimEnd().split('\n')
    const read = lines.map((line) => JSON.parse(line) as { txn: unknown; txnMetadata: unknown })
    expect(read.map((line) => line.txnMetadata)).toMatchObject([{ seqNo: 1 }, { seqNo: 2 }])
    expect(read[1]?.txn).toMatchObject({
      data: { data: { alias: 'Node2', client_ip: '127.0.0.1', client_port: 9702 } },
    })
  })
})
