import { randomUUID } from 'node:crypto'
import { portrait } from '../people/portrait.ts'
import { sightingOf } from '../people/picture.ts'
import type { Scene } from '../people/camera.ts'
import type { Sighting } from '../wire/heard.ts'
import type { VendorClock } from '../wire/vendor-clock.ts'

export type ChallengeType = 'FaceMovementAndLightChallenge' | 'FaceMovementChallenge'

type Status = 'CREATED' | 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED'

export type LivenessResult = {
  /** 0–100. */
  readonly confidence: number
  readonly referenceImage: Buffer | null
  readonly auditImages: readonly Buffer[]
}

export type LivenessSession = {
  readonly id: string
  readonly account: string
  readonly createdMs: number
  readonly auditImagesMax: number
  readonly challenge: ChallengeType
  status: Status
  result: LivenessResult | null
}

export type HeldSession = {
  readonly id: string
  readonly account: string
  readonly status: Status
  readonly images: readonly Sighting[]
}

/** "A SessionId expires 3 minutes after it's sent, making all Liveness data associated with the session unavailable." */
const LIFE_MS = 180_000

const CONFIDENCE = { live: 99.1, spoof: 3.2, uncertain: 55 } as const

/** The sessions of all accounts, from their creation until they are too old. */
export class LivenessSessions {
  readonly #clock: VendorClock
  readonly #sessions = new Map<string, LivenessSession>()
  readonly #byToken = new Map<string, string>()

  constructor(clock: VendorClock) {
    this.#clock = clock
  }

  /** The same token of an account gets the same session, however old it is. */
  create(
    asked: Pick<LivenessSession, 'account' | 'auditImagesMax' | 'challenge'>,
    token: string | null,
  ): string {
    const name = `${asked.account} ${token}`
    const known = token === null ? undefined : this.#byToken.get(name)
    if (known !== undefined) return known
    const id = randomUUID()
    this.#sessions.set(id, { ...asked, id, createdMs: this.#clock.lifeMs, status: 'CREATED', result: null })
    if (token !== null) this.#byToken.set(name, id)
    return id
  }

  /** Of the account's own; what is too old is there and has no data any more. */
  find(account: string, id: string): LivenessSession | 'expired' | null {
    const session = this.#sessions.get(id)
    if (session?.account !== account) return null
    if (this.#clock.lifeMs - session.createdMs < LIFE_MS) return session
    session.result = null
    return 'expired'
  }

  /** A session is for one check: a second one fails and leaves the result of the first. */
  run(session: LivenessSession, scene: Scene): boolean {
    if (session.status !== 'CREATED') return false
    session.status = 'IN_PROGRESS'
    if (scene.isBroken) return true
    session.status = scene.people.length === 0 ? 'FAILED' : 'SUCCEEDED'
    session.result = session.status === 'SUCCEEDED' ? resultOf(scene, session.auditImagesMax) : null
    return true
  }

  /** What is still there, for a test that wants to see that nothing stays. */
  held(): readonly HeldSession[] {
    return [...this.#sessions.values()]
      .filter(({ account, id }) => this.find(account, id) !== 'expired')
      .map(({ id, account, status, result }) => ({
        id,
        account,
        status,
        images: [result?.referenceImage, ...(result?.auditImages ?? [])].flatMap((image) =>
          image ? [sightingOf(image)] : [],
        ),
      }))
  }
}

function resultOf(scene: Scene, auditImagesMax: number): LivenessResult {
  const faces = scene.people.map((person) => ({
    person,
    ...(scene.matchScore !== undefined && { likeness: scene.matchScore }),
  }))
  const image = portrait({ faces })
  return {
    confidence: scene.livenessScore ?? CONFIDENCE[scene.sort],
    referenceImage: scene.isUnsharp ? null : image,
    auditImages: Array<Buffer>(auditImagesMax).fill(image),
  }
}
