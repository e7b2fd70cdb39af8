import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TransactionFile } from '../../../src/ledger/sandbox/transaction-file.ts'
import type { Transaction } from '../../../src/ledger/sandbox/transactions.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const transaction = (seqNo: number): Transaction => ({
  txn: {
    type: '1',
    protocolVersion: 2,
    data: { dest: 'Ä' },
    metadata: { from: 'x', reqId: 1, digest: '', payloadDigest: '' },
  },
  txnMetadata: { seqNo, txnTime: 1, txnId: 'x' },
  reqSignature: { type: 'ED25519', values: [] },
  ver: '1',
})

describe('the transactions of the sandbox on disk', () => {
  const folder = temporaryFolder('transaction-file')
  const path = join(folder, 'transactions.jsonl')

  it('are read back as they were written', () => {
    using first = TransactionFile.open(path).file
    first.append(transaction(1))
    first.append(transaction(2))
    expect(TransactionFile.open(path).transactions).toEqual([transaction(1), transaction(2)])
  })

  it('lose a torn last line and go on after the whole ones', () => {
    appendFileSync(path, '{"txn":{"type":"Ä')
    const { file, transactions } = TransactionFile.open(path)
    expect(transactions).toHaveLength(2)
    file.append(transaction(3))
    file[Symbol.dispose]()
    expect(TransactionFile.open(path).transactions).toHaveLength(3)
    expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true)
  })
})
