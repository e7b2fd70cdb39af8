import type {
  AskedSession,
  Attempt,
  Begun,
  Ended,
  FaceVendor,
  Reading,
  Trial,
  VendorAccount,
  WantedSession,
} from '../../../src/ports/face-vendor.ts'

export const away = { kind: 'away', why: 'unreachable', retryAfterMs: null } as const

export const attempt = (verdict: Attempt['verdict'], matchScore: number | null = null): Reading => ({
  kind: 'results',
  attempts: [{ id: 'attempt', verdict, livenessScore: 97.123, matchScore }],
})

/** A vendor that says what a test has put down, in that order, and then what is usual. */
export class PlayedVendor implements FaceVendor {
  readonly hasLivenessScore = true
  readonly usualMatchMin = 90
  readonly sessionSeconds = { least: 180, most: 180 }
  readonly begins: (Begun | 'usual')[] = []
  readonly readings: Reading[] = []
  readonly calls: string[] = []
  readonly accounts: VendorAccount[] = []
  readonly images: Uint8Array[] = []
  readonly correlationIds: string[] = []

  async tryAccount(account: VendorAccount): Promise<Trial> {
    this.accounts.push(account)
    return { obstacles: [] }
  }

  async begin(account: VendorAccount, wanted: WantedSession): Promise<Begun> {
    this.calls.push(`begin ${wanted.number}`)
    this.accounts.push(account)
    this.images.push(wanted.image.bytes)
    this.correlationIds.push(wanted.deviceCorrelationId)
    const played = this.begins.shift() ?? 'usual'
    return played === 'usual' ? this.#told(`${wanted.checkId}-${wanted.number}`) : played
  }

  async rejoin(_: VendorAccount, sessionId: string): Promise<Begun> {
    this.calls.push('rejoin')
    return this.#told(sessionId)
  }

  async read(_: VendorAccount, asked: AskedSession): Promise<Reading> {
    this.calls.push('read')
    return this.readings.shift() ?? { kind: asked.lapsesAtMs > Date.now() ? 'not-yet' : 'lapsed' }
  }

  async end(_: VendorAccount, sessionId: string): Promise<Ended> {
    this.calls.push(`end ${sessionId.slice(sessionId.lastIndexOf('-') + 1)}`)
    return { kind: 'gone' }
  }

  #told(sessionId: string): Begun {
    return { kind: 'begun', sessionId, device: { vendor: 'sandbox', sessionId, token: 'secret' } }
  }
}
