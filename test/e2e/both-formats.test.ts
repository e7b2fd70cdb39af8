import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Kind } from '../../src/actors/define-kind.ts'
import { kinds } from '../../src/actors/index.ts'
import { openService } from '../../src/compose/service.ts'
import type { Deliver } from '../../src/ports/wallets.ts'
import {
  formatsUsedBy,
  type Organisation,
  organisationOf,
  type OtherWallet,
  otherWallet,
} from './other-wallet.ts'
import { freshFolder, type Json, type RunningService, runningService } from './running-service.ts'

type Named = { readonly format: string }

/** An offer as the product never makes it: what it offers in the newer format, in the older one too. */
const inBoth = (text: string): string => {
  const message = JSON.parse(text) as Json
  const formats = message['formats'] as readonly Named[] | undefined
  const [attached] = (message['offers~attach'] ?? []) as readonly Json[]
  if (formats?.[0]?.format !== 'anoncreds/credential-offer@v1.0' || attached === undefined) return text
  return JSON.stringify({
    ...message,
    formats: [{ attach_id: 'older', format: 'hlindy/cred-abstract@v2.0' }, ...formats],
    'offers~attach': [{ ...attached, '@id': 'older' }, attached],
  })
}

const offersInBoth = (kind: Kind): Kind => ({
  ...kind,
  definition: (ports) => {
    const deliver: Deliver = (to, message, ...how) => ports.deliver(to, inBoth(message), ...how)
    return kind.definition({ ...ports, deliver })
  },
})

let service: RunningService
let organisation: Organisation
let phone: OtherWallet
beforeAll(async () => {
  service = await runningService({}, freshFolder(), {}, (context) =>
    openService(
      context,
      kinds.map((kind) => (kind.list === 'credential' ? offersInBoth(kind) : kind)),
    ),
  )
  organisation = await organisationOf(service)
}, 240_000)
afterAll(async () => {
  await phone?.wallet.close()
  await service?.app.stop()
})

it('of an offer in both formats a Credo wallet that knows both requests both, and can read the last', async () => {
  phone = await otherWallet(organisation.options, { formats: 'both' })
  const connectionId = await organisation.connect(phone.wallet)
  const id = await organisation.issue(connectionId, 'Ada')
  const { offered, requested } = await formatsUsedBy(phone, id)
  expect([offered.toSorted(), requested.toSorted()]).toEqual([
    ['anoncreds', 'indy'],
    ['anoncreds', 'indy'],
  ])
  expect(await phone.held()).toEqual(['Ada'])
  expect(await organisation.verify(connectionId)).toMatchObject({ verified: true })
})
