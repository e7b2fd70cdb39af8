import { describe, expect, it } from 'vitest'
import {
  definition,
  endorser,
  ledgerOfRequests,
  nym,
  owner,
  schema,
  steward,
  stranger,
  trustee,
} from './ledger-of-requests.ts'

describe('who may write what', () => {
  it.each([
    ['a trustee adds a trustee', trustee, '0', 'REPLY'],
    ['a steward adds no trustee', steward, '0', 'REJECT'],
    ['a trustee adds a steward', trustee, '2', 'REPLY'],
    ['an endorser adds no steward', endorser, '2', 'REJECT'],
    ['a steward adds an endorser', steward, '101', 'REPLY'],
    ['an endorser adds no endorser', endorser, '101', 'REJECT'],
    ['an endorser adds an identity without a role', endorser, undefined, 'REPLY'],
  ] as const)('%s', (_name, author, role, op) => {
    expect(ledgerOfRequests().ask(nym(owner, role), [author]).op).toBe(op)
  })

  it('an identity changes its own key and nobody else’s', () => {
    const { ask } = ledgerOfRequests()
    ask(nym(owner), [endorser])
    const newKey = { type: '1', dest: owner.did, verkey: stranger.verkey }
    expect(ask(newKey, [endorser]).op).toBe('REJECT')
    expect(ask(newKey, [owner]).op).toBe('REPLY')
    expect(ask(schema(), [owner]).op, 'the old key is worth nothing now').toBe('REQNACK')
  })

  it('only a trustee takes a role away', () => {
    const { ask } = ledgerOfRequests()
    const demote = { type: '1', dest: endorser.did, role: null }
    expect(ask(demote, [steward]).op).toBe('REJECT')
    expect(ask(demote, [trustee]).op).toBe('REPLY')
    expect(ask(schema(), [endorser]).op).toBe('REJECT')
  })

  it('an author without a role writes with an endorser behind it, who must have signed', () => {
    const { ask } = ledgerOfRequests()
    ask(nym(owner), [endorser])
    expect(ask(schema('x'), [owner]).op).toBe('REJECT')
    expect(ask(schema('x'), [owner], { endorser: endorser.did }).op).toBe('REQNACK')
    expect(ask(schema('x'), [owner, endorser]).op).toBe('REPLY')
  })

  it('a schema never changes; a definition does, by its owner', () => {
    const { ask } = ledgerOfRequests()
    const written = ask(schema(), [endorser]).result as { txnMetadata: { seqNo: number } }
    expect(ask(schema('degree', ['other']), [endorser]).op).toBe('REJECT')
    const ref = written.txnMetadata.seqNo
    expect([ask(definition(ref), [endorser]).op, ask(definition(ref), [endorser]).op]).toEqual([
      'REPLY',
      'REPLY',
    ])
  })

  it.each([
    ['a version that is none', { type: '101', data: { name: 'x', version: 'one', attr_names: ['a'] } }],
    ['no attributes', schema('x', [])],
    ['the same attribute twice', schema('x', ['a', 'a'])],
    [
      '126 attributes',
      schema(
        'x',
        Array.from({ length: 126 }, (_, n) => `a${n}`),
      ),
    ],
    ['a definition of no schema', definition(1)],
    ['a definition of nothing', definition('x')],
    ['a definition without a key', { ...definition(1), data: {} }],
    ['a NYM of no DID', { type: '1', dest: 'x' }],
    ['a NYM with no key', { ...nym(owner), verkey: 'x' }],
    ['an unknown role', nym(owner, '77')],
    ['an attribute without content', { type: '100', dest: owner.did }],
    ['an unknown type', { type: '999' }],
  ])('%s is refused as malformed', (_name, operation) => {
    const { ask, ledger, bugs } = ledgerOfRequests()
    const size = ledger.size
    expect(ask(operation, [endorser]).op).toBe('REQNACK')
    expect([ledger.size, bugs]).toEqual([size, []])
  })
})
