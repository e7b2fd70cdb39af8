import { describe, expect, it } from 'vitest'
import { endorser, ledgerOfRequests, nym, owner, schema } from './ledger-of-requests.ts'

describe('the ledger of the sandbox', () => {
  it('answers a repeated write as it did the first time, and writes it once', () => {
    const { ask, ledger } = ledgerOfRequests()
    const again = { reqId: 77 }
    const first = ask(schema(), [endorser], again)
    ask(nym(owner), [endorser])
    const size = ledger.size
    expect(ask(schema(), [endorser], again)).toEqual(first)
    expect(ledger.size).toBe(size)
  })

  it('refuses what nobody signed', () => {
    const { ask } = ledgerOfRequests()
    expect(ask(nym(owner), []).reason).toMatch(/signature of .* is missing/)
  })

  it('stays silent about what is no request, and refuses what is half of one', () => {
    const { ledger } = ledgerOfRequests()
    for (const text of ['', 'nonsense', '7', 'null', '"x"']) expect(ledger.answer(text)).toEqual([])
    for (const text of ['{}', '{"operation":5}', '{"operation":{}}', '{"operation":{"type":"105"}}']) {
      expect(ledger.answer(text), text).toMatchObject([{ op: 'REQNACK' }])
    }
  })

  it('refuses another version of the protocol, as a real pool does', () => {
    const { ask } = ledgerOfRequests()
    for (const protocolVersion of [1, undefined, '2'])
      expect(ask(nym(owner), [endorser], { protocolVersion })).toMatchObject({
        op: 'REQNACK',
        reason: expect.stringContaining('Expected: 2') as unknown,
      })
  })

  it('hears a write and does not answer it while too few nodes live to agree', () => {
    const { ask, quorum } = ledgerOfRequests()
    quorum.isThere = false
    expect(ask(nym(owner), [endorser]).op).toBe('REQACK')
    expect(ask({ type: '105', dest: owner.did }).op).toBe('REPLY')
    quorum.isThere = true
    expect(ask(nym(owner), [endorser]).op).toBe('REPLY')
  })

  it('tells its state to a client that asks', () => {
    expect(ledgerOfRequests().ledger.answer('{"op":"LEDGER_STATUS"}')).toMatchObject([
      { op: 'LEDGER_STATUS', ledgerId: 0 },
    ])
  })
})
