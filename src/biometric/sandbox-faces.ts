import type {
  AskedSession,
  Begun,
  Ended,
  FaceVendor,
  Reading,
  Trial,
  VendorAccount,
  WantedSession,
} from '../ports/face-vendor.ts'

const SESSIONS_MAX = 10_000
const SESSION_SECONDS = 180

/** What a wallet says that stood in front of its camera. */
type SandboxScene = 'holder' | 'stranger' | 'picture'

type Played = { readonly token: string; readonly endsAtMs: number; scene: SandboxScene | null }

/**
 * A vendor for trials on the sandbox ledger: nobody looks at a face. The wallet says who stood there, and that is
 * believed. Its sessions live in the memory of this process, so a restart loses them as a vendor loses old ones.
 */
export class SandboxFaces implements FaceVendor {
  readonly hasLivenessScore = true
  readonly usualMatchMin = 90
  readonly sessionSeconds = { least: SESSION_SECONDS, most: SESSION_SECONDS }
  readonly #now: () => number
  readonly #newId: () => string
  readonly #sessions = new Map<string, Played>()

  constructor(now: () => number, newId: () => string) {
    this.#now = now
    this.#newId = newId
  }

  async tryAccount(): Promise<Trial> {
    return { obstacles: [] }
  }

  async begin(_: VendorAccount, { checkId, number }: WantedSession): Promise<Begun> {
    const sessionId = `${checkId}-${number}`
    if (!this.#sessions.has(sessionId)) this.#add(sessionId)
    return this.#told(sessionId)
  }

  async rejoin(_: VendorAccount, sessionId: string): Promise<Begun> {
    return this.#told(sessionId)
  }

  async read(
    _: VendorAccount,
    { sessionId, lapsesAtMs, livenessMin, matchMin }: AskedSession,
  ): Promise<Reading> {
    const played = this.#sessions.get(sessionId)
    if (played === undefined) return { kind: 'lost' }
    if (played.scene === null) return { kind: this.#now() < lapsesAtMs ? 'not-yet' : 'lapsed' }
    const livenessScore = played.scene === 'picture' ? 12 : 99
    const isLive = livenessScore >= livenessMin
    const matchScore = isLive ? (played.scene === 'stranger' ? 7 : 98) : null
    const isSame = matchScore !== null && matchScore >= matchMin
    const verdict = isLive ? (isSame ? 'passed' : 'another-person') : 'not-live'
    return { kind: 'results', attempts: [{ id: sessionId, verdict, livenessScore, matchScore }] }
  }

  async end(_: VendorAccount, sessionId: string): Promise<Ended> {
    this.#sessions.delete(sessionId)
    return { kind: 'gone' }
  }

  /** What the wallet's camera saw. False for a session that there is not, that is over, or that is another's. */
  capture(sessionId: string, token: string, scene: SandboxScene): boolean {
    const played = this.#sessions.get(sessionId)
    if (played === undefined || played.token !== token || played.endsAtMs <= this.#now()) return false
    if (played.scene !== null) return false
    played.scene = scene
    return true
  }

  #told(sessionId: string): Begun {
    const played = this.#sessions.get(sessionId)
    if (played === undefined || played.endsAtMs <= this.#now()) return { kind: 'lost' }
    return { kind: 'begun', sessionId, device: { vendor: 'sandbox', sessionId, token: played.token } }
  }

  #add(sessionId: string): void {
    if (this.#sessions.size >= SESSIONS_MAX) {
      const [oldest] = this.#sessions.keys()
      if (oldest !== undefined) this.#sessions.delete(oldest)
    }
    const endsAtMs = this.#now() + SESSION_SECONDS * 1_000
    this.#sessions.set(sessionId, { token: this.#newId(), endsAtMs, scene: null })
  }
}
