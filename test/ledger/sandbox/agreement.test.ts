import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { endorser, ledgerOfRequests, nym, owner, schema, trustee } from './ledger-of-requests.ts'

const aml = { type: '5', version: '1', aml: { for_session: 'By a click.' } }
const taa = (text = 'Be honest.') => ({ type: '4', version: '1.0', text })
const digestOf = (text: string) => createHash('sha256').update('1.0').update(text).digest('hex')
const accepted = (text = 'Be honest.', more: object = {}) => ({
  taaAcceptance: { taaDigest: digestOf(text), mechanism: 'for_session', time: 0, ...more },
})

/** A ledger whose trustee has set an agreement. */
const underAgreement = () => {
  const at = ledgerOfRequests()
  expect(at.ask(aml, [trustee]).op).toBe('REPLY')
  expect(at.ask(taa(), [trustee]).op).toBe('REPLY')
  return at
}

describe('the agreement of the sandbox', () => {
  it('is set by a trustee, once there is a way to accept it', () => {
    const { ask } = ledgerOfRequests()
    expect(ask(taa(), [trustee]).reason).toContain('until TAA AML is set')
    expect(ask(aml, [endorser]).reason).toContain('no TRUSTEE')
    expect(ask({ type: '6' }).result?.['data']).toBeNull()
    expect(ask({ type: '7' }).result?.['data']).toBeNull()
  })

  it('is read with its digest, and so are the ways to accept it', () => {
    const { ask } = underAgreement()
    expect(ask({ type: '6' }).result?.['data']).toEqual({
      text: 'Be honest.',
      version: '1.0',
      digest: digestOf('Be honest.'),
      ratification_ts: 1_000,
    })
    expect(ask({ type: '7' }).result?.['data']).toEqual({ version: '1', aml: { for_session: 'By a click.' } })
  })

  it('is to be accepted by whoever writes, in one of these ways and on a day', () => {
    const { ask } = underAgreement()
    const write = (more: object = {}) => ask(nym(owner), [endorser], more)
    expect(write().reason).toBe(
      'client request invalid: InvalidClientTaaAcceptanceError(Txn Author Agreement acceptance is required for ledger with id 1)',
    )
    expect(write(accepted('Another.')).reason).toContain('Incorrect Txn Author Agreement(digest=')
    expect(write(accepted(undefined, { mechanism: 'by_hand' })).reason).toContain('inappropriate')
    expect(write(accepted(undefined, { time: 77 })).reason).toContain('too precise')
    expect(write(accepted(undefined, { time: 86_400 * 30 })).reason).toContain('inappropriate')
    expect(write(accepted()).op).toBe('REPLY')
  })

  it('is another when its text is', () => {
    const { ask } = underAgreement()
    expect(ask(schema(), [endorser], accepted()).op).toBe('REPLY')
    expect(ask(taa('Be kind.'), [trustee]).op).toBe('REPLY')
    const second = schema('other')
    expect(ask(second, [endorser], accepted()).reason).toContain('Incorrect Txn Author Agreement(digest=')
    expect(ask(second, [endorser], accepted('Be kind.')).op).toBe('REPLY')
  })
})
