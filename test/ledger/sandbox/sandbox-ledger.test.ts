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

  it('tells its state to a client that asks', () => {
    expect(ledgerOfRequests().ledger.answer('{"op":"LEDGER_STATUS"}')).toMatchObject([
      { op: 'LEDGER_STATUS', ledgerId: 0 },
    ])
  })
})
