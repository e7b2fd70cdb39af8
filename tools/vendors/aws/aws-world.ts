import { Camera } from '../people/camera.ts'
import { type Quota, Quotas } from '../wire/quota.ts'
import { VendorClock } from '../wire/vendor-clock.ts'
import { Accounts } from './accounts.ts'
import { LivenessSessions } from './liveness-sessions.ts'
import type { AfterExpiry } from './rekognition/session-results.ts'

/** What one Region of AWS knows, and how it is set up. */
export type AwsWorld = {
  readonly region: string
  readonly isTls: boolean
  readonly clock: VendorClock
  readonly accounts: Accounts
  readonly sessions: LivenessSessions
  readonly camera: Camera
  readonly quotas: Quotas
  readonly manner: AwsManner
}

/** What the documents leave open or to the account. */
export type AwsManner = {
  /** Of an unused or used session after its three minutes. */
  afterExpiry: AfterExpiry
  /** For each operation and account; none is limited where there is none. */
  quota?: Quota
}

export const awsWorld = (region: string, isTls: boolean): AwsWorld => {
  const clock = new VendorClock()
  return {
    region,
    isTls,
    clock,
    accounts: new Accounts(clock),
    sessions: new LivenessSessions(clock),
    camera: new Camera(),
    quotas: new Quotas(clock),
    manner: { afterExpiry: 'EXPIRED' },
  }
}

/** What policies may ask about a request. */
export const contextOf = ({ region, isTls }: AwsWorld): Record<string, string> => ({
  'aws:requestedregion': region,
  'aws:securetransport': String(isTls),
})
