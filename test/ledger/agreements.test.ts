import { describe, expect, it } from 'vitest'
import { Agreements } from '../../src/ledger/agreements.ts'
import {
  AgreementOpen,
  type LedgerAcceptance,
  LedgerRefused,
  LedgerUnavailable,
} from '../../src/ports/ledger.ts'

const DAY_MS = 86_400_000
const agreement = (text: string) => ({ version: '1.0', text, digest: `digest of ${text}` })

/** A ledger with this text, and how often it was asked for it. */
const underText = (text: string) => {
  const ledger = { now: agreement(text), asked: 0 }
  const agreements = new Agreements(async ({ kind }) => {
    if (kind === 'mechanisms') return { data: { aml: { for_session: 'By a click.' } } }
    ledger.asked += 1
    return { data: ledger.now }
  })
  const accept = (digest: string): void => {
    const acceptance: LedgerAcceptance = {
      digest,
      mechanism: 'for_session',
      acceptedAtMs: 3 * DAY_MS + 77_777,
    }
    agreements.acceptedBy(() => Promise.resolve(acceptance))
  }
  return { ledger, agreements, accept }
}

/** As the client of the ledger hands on what nodes answer. */
const refusals = [
  'Request failed: client request invalid: InvalidClientTaaAcceptanceError(Txn Author Agreement acceptance is required for ledger with id 1)',
  'Request failed: client request invalid: InvalidClientTaaAcceptanceError(TAA_ACCEPTANCE_TIME = 1e300 is out of range)',
]

describe('the agreement that a write carries', () => {
  it('is the one that was accepted, with the day alone', async () => {
    const { ledger, agreements, accept } = underText('Be honest.')
    await expect(agreements.acceptance()).rejects.toThrow(AgreementOpen)
    accept('digest of Be honest.')
    expect(await agreements.acceptance()).toEqual({
      taaDigest: 'digest of Be honest.',
      mechanism: 'for_session',
      time: 3 * 86_400,
    })
    expect(ledger.asked).toBe(1)
  })

  it.each(refusals)('is read again once the ledger says: %s', async (reason) => {
    const { ledger, agreements, accept } = underText('Be honest.')
    accept('digest of Be honest.')
    await agreements.acceptance()
    ledger.now = agreement('Be kind.')
    expect(agreements.isAbout(new LedgerUnavailable(reason))).toBe(true)
    await expect(agreements.acceptance()).rejects.toThrow(AgreementOpen)
  })

  it('is not what every refusal is about', () => {
    const { agreements } = underText('Be honest.')
    const other = 'Request failed: client request invalid: UnauthorizedClientRequest(no role)'
    expect(agreements.isAbout(new LedgerRefused(other))).toBe(false)
    expect(agreements.isAbout(new LedgerUnavailable('the ledger did not answer in time'))).toBe(false)
  })
})
