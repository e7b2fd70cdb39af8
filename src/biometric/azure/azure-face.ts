import { randomUUID } from 'node:crypto'
import type { Outbound } from '../../egress/outbound.ts'
import type {
  AskedSession,
  Begun,
  Ended,
  FaceVendor,
  ImageUnfit,
  Obstacle,
  Reading,
  ReferenceImage,
  Trial,
  VendorAccount,
  WantedSession,
} from '../../ports/face-vendor.ts'
import { away } from '../outcomes.ts'
import { trialPicture } from '../trial-picture.ts'
import { type AzureAccount, azureAccountOf } from './azure-account.ts'
import { AzureCalls } from './azure-calls.ts'
import type { AzureFailure } from './azure-refusals.ts'
import type { Json } from './json.ts'
import { readingOf } from './read-session.ts'

type AzureOptions = { readonly outbound: Pick<Outbound, 'call'>; readonly now: () => number }
type Sent = { readonly account: AzureAccount; readonly signal: AbortSignal }

const LOST = 'SessionNotFound'

/** Liveness with verification of the Face API v1.2, with the organisation's own resource. */
export class AzureFace implements FaceVendor {
  readonly hasLivenessScore = false
  readonly usualMatchMin = 70
  /** The vendor takes up to a day; a capture that is not begun within ten minutes is asked for again. */
  readonly sessionSeconds = { least: 60, most: 600 }
  readonly #calls: AzureCalls
  readonly #now: () => number

  constructor({ outbound, now }: AzureOptions) {
    this.#calls = new AzureCalls(outbound)
    this.#now = now
  }

  /** A picture of nothing is refused as such where everything else is right, and leaves no session behind. */
  async tryAccount(from: VendorAccount, signal: AbortSignal): Promise<Trial> {
    const account = azureAccountOf(from)
    if ('kind' in account) return { obstacles: [account] }
    const wanted = {
      image: trialPicture(),
      seconds: this.sessionSeconds.least,
      deviceCorrelationId: randomUUID(),
    }
    const begun = await this.#create(wanted, { account, signal })
    if (begun.kind === 'begun') await this.#calls.delete(begun.sessionId, { account, signal })
    return { obstacles: begun.kind === 'away' || begun.kind === 'refused' ? [begun] : [] }
  }

  async begin(from: VendorAccount, wanted: WantedSession, signal: AbortSignal): Promise<Begun> {
    const account = azureAccountOf(from)
    return 'kind' in account ? account : this.#create(wanted, { account, signal })
  }

  /** The session tells its token again; there are no further credentials. */
  async rejoin(from: VendorAccount, sessionId: string, signal: AbortSignal): Promise<Begun> {
    const account = azureAccountOf(from)
    if ('kind' in account) return account
    const session = await this.#calls.read(sessionId, { account, signal })
    if (isFailure(session)) return session.code === LOST ? { kind: 'lost' } : session.obstacle
    if (session['sessionId'] !== sessionId) return away('contradictory')
    return begunOf(session) ?? away('unreadable')
  }

  async read(from: VendorAccount, asked: AskedSession, signal: AbortSignal): Promise<Reading> {
    const account = azureAccountOf(from)
    if ('kind' in account) return account
    const session = await this.#calls.read(asked.sessionId, { account, signal })
    if (isFailure(session)) return session.code === LOST ? { kind: 'lost' } : session.obstacle
    return readingOf(session, { ...asked, nowMs: this.#now() })
  }

  /** Until then, or for 48 hours, the vendor keeps the image. */
  async end(from: VendorAccount, sessionId: string, signal: AbortSignal): Promise<Ended> {
    const account = azureAccountOf(from)
    if ('kind' in account) return account
    const failure = await this.#calls.delete(sessionId, { account, signal })
    return failure === null || failure.code === LOST ? { kind: 'gone' } : failure.obstacle
  }

  async #create(wanted: Omit<WantedSession, 'checkId' | 'number'>, sent: Sent): Promise<Begun> {
    const answer = await this.#calls.create(formOf(wanted), sent)
    if (isFailure(answer)) return unlessUnfit(answer)
    const begun = begunOf(answer)
    if (begun !== null) return begun
    // A session of which only the id can be read is of no use, and holds the image.
    if (isSessionId(answer['sessionId'])) await this.#calls.delete(answer['sessionId'], sent)
    return away('unreadable')
  }
}

const isFailure = (answer: Json | AzureFailure): answer is AzureFailure => 'obstacle' in answer

function formOf({
  image,
  seconds,
  deviceCorrelationId,
}: Omit<WantedSession, 'checkId' | 'number'>): FormData {
  const form = new FormData()
  // The one word for it that all of the vendor's documents have.
  form.append('livenessOperationMode', 'Passive')
  form.append('deviceCorrelationId', deviceCorrelationId)
  form.append('authTokenTimeToLiveInSeconds', String(seconds))
  form.append('enableSessionImage', 'false')
  form.append('returnVerifyImageHash', 'true')
  form.append('verifyImage', new Blob([new Uint8Array(image.bytes)], { type: typeOf(image) }), nameOf(image))
  return form
}

const typeOf = ({ format }: ReferenceImage): string => `image/${format}`

const nameOf = ({ format }: ReferenceImage): string => `reference.${format === 'jpeg' ? 'jpg' : 'png'}`

/** The id becomes a part of a path, and the token goes to a wallet. */
function begunOf({ sessionId, authToken }: Json): (Begun & { readonly kind: 'begun' }) | null {
  const isToken = typeof authToken === 'string' && /^[\x21-\x7e]{1,8192}$/.test(authToken)
  if (!isSessionId(sessionId) || !isToken) return null
  return { kind: 'begun', sessionId, device: { vendor: 'azure_face', authToken } }
}

const isSessionId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{1,128}$/.test(value)

/** The vendor has one code for all that is wrong with an image, and tells the faces apart in words. */
function unlessUnfit({ code, message, obstacle }: AzureFailure): ImageUnfit | Obstacle {
  if (code !== 'InvalidImage' && code !== 'InvalidImageSize') return obstacle
  const why = /\bno face\b/i.test(message)
    ? 'no-face'
    : /more than (1|one) face|multiple faces/i.test(message)
      ? 'several-faces'
      : 'not-accepted'
  return { kind: 'image-unfit', why }
}
