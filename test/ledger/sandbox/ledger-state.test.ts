import { describe, expect, it } from 'vitest'
import {
  attributeKey,
  definitionKey,
  schemaKey,
  LedgerState,
} from '../../../src/ledger/sandbox/ledger-state.ts'

const transaction = (type: string, data: Record<string, unknown>, seqNo: number) => ({
  txn: {
    type,
    protocolVersion: 2 as const,
    data,
    metadata: { from: 'author', reqId: 1, digest: '', payloadDigest: `${seqNo}` },
  },
  txnMetadata: { seqNo, txnTime: 1, txnId: '' },
  reqSignature: { type: 'ED25519' as const, values: [] },
  ver: '1' as const,
})

describe('the state of the sandbox', () => {
  it('keeps of an identity what a later transaction does not say', () => {
    const state = new LedgerState()
    state.apply(transaction('1', { dest: 'x', verkey: 'k', role: '101' }, 1))
    state.apply(transaction('1', { dest: 'x', verkey: 'l' }, 2))
    expect(state.nyms.get('x')).toMatchObject({ verkey: 'l', role: '101', seqNo: 2 })
    state.apply(transaction('1', { dest: 'x', role: null }, 3))
    expect(state.nyms.get('x')).toMatchObject({ verkey: 'l', role: null })
  })

  it('keeps names apart that only look alike when joined', () => {
    expect(schemaKey('a', { name: 'b:c', version: '1' })).not.toBe(
      schemaKey('a:b', { name: 'c', version: '1' }),
    )
    expect(definitionKey('a', 1, 'x')).toBe(definitionKey('a', '1', 'x'))
    expect(attributeKey({ dest: 'd', raw: '{"endpoint":1}' })).toBe(
      attributeKey({ dest: 'd', raw: 'endpoint' }),
    )
  })

  it('refuses a file with a transaction it does not know', () => {
    expect(() => new LedgerState().apply(transaction('77', {}, 1))).toThrow(/unknown type 77/)
  })
})
