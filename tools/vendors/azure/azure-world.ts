import { Camera } from '../people/camera.ts'
import { type Quota, Quotas } from '../wire/quota.ts'
import { VendorClock } from '../wire/vendor-clock.ts'
import { Resources } from './resources.ts'
import { VerifySessions } from './verify-sessions.ts'

/** What one endpoint of the Face API knows, and how it is set up. */
export type AzureWorld = {
  readonly isTls: boolean
  readonly clock: VendorClock
  readonly resources: Resources
  readonly sessions: VerifySessions
  readonly camera: Camera
  readonly quotas: Quotas
  readonly manner: AzureManner
}

/** What the documents say in two ways, or leave to the resource. */
export type AzureManner = {
  /** The vendor's own example shows a session with results as `NotStarted`. */
  status: 'stale' | 'current'
  /** The vendor's example has the newest first; its sample code takes the last for the newest. */
  attempts: 'newest first' | 'oldest first'
  /** `realface` in the model, `realFace` in an example. */
  decisions: 'lower case' | 'camel case'
  /** How often the device may try with one token. */
  attemptsMax: number
  /** For each resource; none is limited where there is none. */
  quota?: Quota
}

export const azureWorld = (isTls: boolean): AzureWorld => {
  const clock = new VendorClock()
  return {
    isTls,
    clock,
    resources: new Resources(),
    sessions: new VerifySessions(clock),
    camera: new Camera(),
    quotas: new Quotas(clock),
    manner: { status: 'stale', attempts: 'newest first', decisions: 'lower case', attemptsMax: 3 },
  }
}
