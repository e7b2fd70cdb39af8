import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Face, likenessOf } from '../people/faces.ts'
import { type Picture, sightingOf } from '../people/picture.ts'
import { portrait } from '../people/portrait.ts'
import type { Scene } from '../people/camera.ts'
import type { Sighting } from '../wire/heard.ts'
import type { VendorClock } from '../wire/vendor-clock.ts'

export type SessionSettings = {
  readonly tokenSeconds: number
  readonly keepsSessionImage: boolean
  readonly tellsImageHash: boolean
  /** 0–1: from where on two faces are said to be of one person. */
  readonly confidenceMin: number
  readonly modelVersion: string
}

export type Attempt = {
  readonly id: number
  /** A running one comes to no result. */
  readonly status: 'Running' | 'Succeeded' | 'Failed'
  readonly errorCode: string | null
  readonly decision: 'realface' | 'spoofface' | 'uncertain'
  /** 0–1; null where the vendor did not compare. */
  readonly confidence: number | null
  readonly digest: string
  readonly sessionImage: { readonly id: string; readonly sighting: Sighting } | null
}

export type VerifySession = {
  readonly id: string
  readonly resource: string
  readonly token: string
  readonly createdMs: number
  readonly settings: SessionSettings
  readonly face: Face
  readonly verifyImage: Sighting
  /** The oldest first. */
  readonly attempts: Attempt[]
}

export type HeldVerifySession = {
  readonly id: string
  readonly resource: string
  readonly attempts: number
  readonly images: readonly Sighting[]
}

/** "It will expire 48 hours after it was created or may be deleted sooner." */
const LIFE_MS = 48 * 3_600_000

const DECISIONS = { live: 'realface', spoof: 'spoofface', uncertain: 'uncertain' } as const

/** The sessions of all resources, from their creation until they are deleted or too old. */
export class VerifySessions {
  readonly #clock: VendorClock
  readonly #sessions = new Map<string, VerifySession>()

  constructor(clock: VendorClock) {
    this.#clock = clock
  }

  create(
    resource: string,
    {
      settings,
      picture,
      face,
      endpoint,
    }: { settings: SessionSettings; picture: Picture; face: Face; endpoint: string },
  ): VerifySession {
    const id = randomUUID()
    const session: VerifySession = {
      id,
      resource,
      token: tokenFor(endpoint, {
        sessionId: id,
        expiresMs: this.#clock.wallMs + settings.tokenSeconds * 1_000,
      }),
      createdMs: this.#clock.lifeMs,
      settings,
      face,
      verifyImage: picture.sighting,
      attempts: [],
    }
    this.#sessions.set(id, session)
    return session
  }

  /** Of the resource's own, and not too old. */
  find(resource: string, id: string): VerifySession | null {
    const session = this.#sessions.get(id)
    return session?.resource === resource && !this.#isOver(session) ? session : null
  }

  /** Whose token a device has, as long as it opens anything. */
  ofToken(token: string): VerifySession | null {
    const session = [...this.#sessions.values()].find((each) => each.token === token)
    if (session === undefined || this.#isOver(session)) return null
    return this.#clock.lifeMs - session.createdMs < session.settings.tokenSeconds * 1_000 ? session : null
  }

  delete({ id }: VerifySession): void {
    this.#sessions.delete(id)
  }

  /** What is still there, for a test that wants to see that nothing stays. */
  held(): readonly HeldVerifySession[] {
    return [...this.#sessions.values()]
      .filter((session) => !this.#isOver(session))
      .map(({ id, resource, attempts, verifyImage }) => ({
        id,
        resource,
        attempts: attempts.length,
        images: [verifyImage, ...attempts.flatMap(({ sessionImage }) => sessionImage?.sighting ?? [])],
      }))
  }

  #isOver({ createdMs }: VerifySession): boolean {
    return this.#clock.lifeMs - createdMs >= LIFE_MS
  }
}

/** Somebody at the camera does the check once. */
export const attemptOf = ({ attempts, face, settings }: VerifySession, scene: Scene): Attempt => {
  const [person, ...others] = scene.people
  const seen: Face = {
    person: person ?? '',
    ...(scene.matchScore !== undefined && { likeness: scene.matchScore }),
  }
  // What the vendor says of none or several people is not told; that no face could be followed is its nearest word.
  const errorCode = person === undefined || others.length > 0 ? 'FaceTrackingFailed' : null
  const image = portrait({ faces: [seen] })
  return {
    id: attempts.length + 1,
    status: scene.isBroken ? 'Running' : errorCode === null ? 'Succeeded' : 'Failed',
    errorCode,
    decision: DECISIONS[scene.sort],
    confidence: scene.isUnsharp ? null : shareOf(likenessOf(seen, face)),
    digest: createHash('sha256').update(randomBytes(32)).digest('hex').toUpperCase(),
    sessionImage: settings.keepsSessionImage ? { id: randomUUID(), sighting: sightingOf(image) } : null,
  }
}

/** Without what the division leaves behind the last digit of a scripted score. */
const shareOf = (percent: number): number => Number((percent / 100).toPrecision(12))

/** The vendor's SDK gets nothing but the token, so the token says where to go. */
function tokenFor(
  endpoint: string,
  { sessionId, expiresMs }: { sessionId: string; expiresMs: number },
): string {
  const parts = [
    { alg: 'ES256', typ: 'JWT' },
    { 'cognitive-services-endpoint': endpoint, sid: sessionId, exp: Math.floor(expiresMs / 1_000) },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return [...parts, randomBytes(64).toString('base64url')].join('.')
}
