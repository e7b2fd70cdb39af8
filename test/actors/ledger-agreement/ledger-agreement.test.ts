import { afterAll, describe, expect, it } from 'vitest'
import {
  acceptAgreement,
  acceptedAgreement,
  readAgreement,
} from '../../../src/actors/ledger-agreement/commands.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const { service } = await furnishedService()
afterAll(() => service.close())
const { useCases, agreement } = service
const operator = { kind: 'operator', operatorId: 'acc_00aaaaaaaa' } as const
const digest = 'a'.repeat(64)
const accept = (more: object = {}) =>
  acceptAgreement(useCases, operator, { digest, mechanism: 'service_agreement', ...more })

describe('the agreement of the ledger', () => {
  it('is accepted by the digest of its text, in a way that the ledger has', async () => {
    expect(await acceptedAgreement(useCases)()).toBeNull()
    expect(await accept({ digest: 'b'.repeat(64) })).toMatchObject({ refused: 'agreement_outdated' })
    expect(await accept({ mechanism: 'by_hand' })).toMatchObject({ refused: 'invalid_request' })
    expect(await accept()).toMatchObject({ accepted: { by: 'acc_00aaaaaaaa', version: '2.0' } })
    expect(await acceptedAgreement(useCases)()).toMatchObject({ digest, mechanism: 'service_agreement' })
  })

  it('keeps the first acceptance of the same text, and takes another way as another one', async () => {
    const before = (await readAgreement(useCases)).accepted
    service.runtime.forward(1_000)
    expect(await accept()).toMatchObject({ accepted: before })
  })

  it('is another when the ledger has another text, or none', async () => {
    const { now } = agreement
    agreement.now = now && { ...now, digest: 'c'.repeat(64), text: 'Be kind.' }
    expect(await accept()).toMatchObject({ refused: 'agreement_outdated' })
    agreement.now = null
    expect(await accept()).toMatchObject({ refused: 'not_found' })
    agreement.now = now
  })
})
