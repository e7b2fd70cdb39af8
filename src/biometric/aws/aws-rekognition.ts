import type {
  AskedSession,
  Begun,
  DeviceSession,
  Ended,
  FaceVendor,
  Reading,
  Trial,
  VendorAccount,
  WantedSession,
} from '../../ports/face-vendor.ts'
import type { Outbound } from '../../egress/outbound.ts'
import { type AwsAccount, awsAccountOf } from './aws-account.ts'
import { AwsCalls, type AwsEndpoints, endpointsOf, type Lent } from './aws-calls.ts'
import { readSession } from './read-session.ts'
import { tryAwsAccount } from './try-account.ts'

/** "A SessionId expires 3 minutes after it's sent": neither more nor less can be asked for. */
const SESSION_SECONDS = 180

export type AwsOptions = {
  readonly outbound: Pick<Outbound, 'call'>
  readonly now: () => number
  readonly endpoints?: (account: AwsAccount) => AwsEndpoints
}

/** Rekognition Face Liveness and CompareFaces, with the organisation's own account. Between two calls it holds no more than clients. */
export class AwsRekognition implements FaceVendor {
  readonly hasLivenessScore = true
  readonly usualMatchMin = 90
  readonly sessionSeconds = { least: SESSION_SECONDS, most: SESSION_SECONDS }
  readonly #calls: AwsCalls
  readonly #now: () => number

  constructor({ outbound, now, endpoints = endpointsOf }: AwsOptions) {
    this.#calls = new AwsCalls({ outbound, endpoints })
    this.#now = now
  }

  async tryAccount(from: VendorAccount, signal: AbortSignal): Promise<Trial> {
    const account = awsAccountOf(from)
    if ('kind' in account) return { obstacles: [account] }
    return tryAwsAccount(this.#calls, { account, signal })
  }

  /** Credentials come first, because the three minutes of a session begin with it. */
  async begin(from: VendorAccount, { checkId, number }: WantedSession, signal: AbortSignal): Promise<Begun> {
    const account = awsAccountOf(from)
    if ('kind' in account) return account
    const lent = await this.#calls.lend({ account, signal })
    if ('obstacle' in lent) return lent.obstacle
    const sessionId = await this.#calls.createSession(tokenOf(checkId, number), { account, signal })
    if (typeof sessionId !== 'string') return sessionId.obstacle
    return { kind: 'begun', sessionId, device: deviceOf(sessionId, account, lent) }
  }

  async rejoin(from: VendorAccount, sessionId: string, signal: AbortSignal): Promise<Begun> {
    const account = awsAccountOf(from)
    if ('kind' in account) return account
    const lent = await this.#calls.lend({ account, signal })
    if ('obstacle' in lent) return lent.obstacle
    return { kind: 'begun', sessionId, device: deviceOf(sessionId, account, lent) }
  }

  async read(from: VendorAccount, asked: AskedSession, signal: AbortSignal): Promise<Reading> {
    const account = awsAccountOf(from)
    if ('kind' in account) return account
    return readSession(this.#calls, { ...asked, account, signal, nowMs: this.#now() })
  }

  /** There is nothing to delete: AWS forgets a session and what is in it three minutes after it was made. */
  async end(): Promise<Ended> {
    return { kind: 'gone' }
  }
}

/** What AWS allows as a token: a check and a number that gave another one would be a mistake of ours. */
function tokenOf(checkId: string, number: number): string {
  const token = `${checkId}-${number}`
  if (!/^[\w-]{1,64}$/.test(token)) throw new TypeError('the id of a check does not fit into a token of AWS')
  return token
}

const deviceOf = (sessionId: string, { region }: AwsAccount, lent: Lent): DeviceSession => ({
  vendor: 'aws_rekognition',
  sessionId,
  region,
  accessKeyId: lent.accessKeyId,
  secretAccessKey: lent.secretAccessKey,
  sessionToken: lent.sessionToken,
  credentialsExpireAt: lent.expiresAt,
})
