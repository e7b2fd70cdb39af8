import type { AgentSteps } from '../agent/agent-steps.ts'
import { hearAboutChecks, type HeardAboutCheck, sayAboutCheck } from '../agent/face-check-messages.ts'
import type { WalletAgent } from '../agent/open-agent.ts'
import type { BiometricCaptures, BiometricSession } from '../biometric-capture.ts'
import type { WalletEvent } from '../events.ts'
import type { Mail } from '../mail/mail.ts'
import type { Clock } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'
import { WalletError } from '../wallet-error.ts'
import { passed } from '../within-time.ts'

/** A check of the holder's face that an organisation asks for before it issues, or looks at a proof. */
export type FaceCheck = {
  readonly id: string
  readonly connectionId: string
  /** The offer, or the proof request, that waits for it. */
  readonly exchangeId: string | null
  readonly vendor: string
  readonly expiresAt: Date
  /** `required`: it can be run; `again`: an attempt was not passed, and there are more; `over`: there are none. */
  readonly state: 'required' | 'running' | 'again' | 'over'
}

type CheckRow = Omit<FaceCheck, 'id' | 'expiresAt'> & {
  readonly expiresAtMs: number
  /** Of the exchange, whose message may be read later where the ledger is away. */
  readonly threadId: string | null
}

type Parts = {
  readonly agent: WalletAgent
  readonly rows: RowStore
  readonly steps: AgentSteps
  readonly mail: Mail
  readonly clock: Clock
  readonly captures: BiometricCaptures
  readonly tell: (event: WalletEvent) => void
}

/** While a check is open its messages are fetched every second: a session of a vendor lives for three minutes. */
const LOOK_EVERY_MS = 1_000
/** What a session needs is told once, and lost with an answer that is lost: then it is asked for again. */
const SESSION_WAIT_MS = 10_000
const SESSION_ASKS = 6
const OUTCOME_WAIT_MS = 60_000
const FINAL: readonly string[] = ['received', 'done', 'declined', 'abandoned']

export class FaceChecks {
  readonly #parts: Parts
  readonly #rows: Kept<CheckRow>
  /** What a vendor needs holds secrets that live for minutes: it is in memory alone. */
  readonly #sessions = new Map<string, BiometricSession>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rows = new Kept(parts.rows, 'face-check')
    hearAboutChecks(parts.agent, (heard) => this.#heard(heard))
  }

  list(): readonly FaceCheck[] {
    const nowMs = this.#parts.clock.now()
    return this.#rows
      .allStored()
      .filter(({ expiresAtMs }) => expiresAtMs > nowMs)
      .map(({ id, ...row }) => checkOf(id, row))
  }

  /**
   * One attempt: a session is begun, the add-on captures, and the organisation hears that it did. Comes back when the
   * exchange goes on, or nothing was heard for a minute; what comes later is told by events.
   */
  async run(id: string): Promise<void> {
    const { captures } = this.#parts
    const check = this.#stored(id)
    if (check.state === 'over') throw failed('over')
    const capture = captures.for(check.vendor)
    const session = await this.#session(id, check)
    const outcome = await capture.capture(session)
    if (outcome === 'cancelled')
      throw new WalletError('BiometricCancelled', 'the holder ended the capture', {
        code: 'biometric_cancelled',
      })
    if (outcome === 'unavailable')
      throw new WalletError('BiometricCaptureUnavailable', 'nothing could be captured', {
        code: 'biometric_unavailable',
      })
    await this.#say(id, check, 'captured')
    await this.#outcome(id)
  }

  /** What has become of an exchange, within its step: with it its check is over. */
  async exchangeChanged(exchangeId: string, events: readonly WalletEvent[]): Promise<void> {
    for (const { id, ...row } of this.#rows.allStored()) {
      if (row.exchangeId !== null || row.threadId === null) continue
      const found = await this.#exchangeOf(row.threadId)
      if (found !== null) this.#rows.put(id, { ...row, exchangeId: found })
    }
    const isOver = events.some(
      ({ name, data }) =>
        (name === 'offerChanged' || name === 'proofRequestChanged') && FINAL.includes(data.state),
    )
    if (!isOver) return
    for (const { id } of this.#rows.allStored())
      if (this.#rows.find(id)?.exchangeId === exchangeId) this.#rows.remove(id)
  }

  async #session(id: string, check: CheckRow): Promise<BiometricSession> {
    this.#sessions.delete(id)
    for (let asked = 0; asked < SESSION_ASKS; asked += 1) {
      await this.#say(id, check, 'begin')
      const found = await this.#until(SESSION_WAIT_MS, () => {
        const row = this.#rows.stored(id)
        if (row === null) throw noSuchCheck()
        if (row.state === 'over') throw failed('over')
        return this.#sessions.get(id) ?? null
      })
      this.#sessions.delete(id)
      if (found !== null) return found
    }
    throw new WalletError('PlatformError', 'no session for the check came', { code: 'biometric_no_session' })
  }

  async #outcome(id: string): Promise<void> {
    await this.#until(OUTCOME_WAIT_MS, () => {
      const row = this.#rows.stored(id)
      if (row === null) return true
      if (row.state === 'again' || row.state === 'over') throw failed(row.state)
      return null
    })
  }

  async #until<Value>(ms: number, look: () => Value | null): Promise<Value | null> {
    const { mail, clock } = this.#parts
    const endMs = clock.now() + ms
    for (;;) {
      await mail.sync()
      const found = look()
      if (found !== null || clock.now() >= endMs) return found
      await passed(clock, LOOK_EVERY_MS)
    }
  }

  async #say(id: string, { connectionId }: CheckRow, name: 'begin' | 'captured'): Promise<void> {
    const { agent, steps, mail } = this.#parts
    await steps.run(async () => {
      await sayAboutCheck(agent, name, { checkId: id, connectionId })
      // While the holder captured, the check may have gone on, or be over: that stays as it was heard.
      const row = this.#rows.find(id)
      if (name === 'begin' && row !== null) this.#rows.put(id, { ...row, state: 'running' })
    })
    await mail.exchange()
  }

  async #heard(heard: HeardAboutCheck): Promise<void> {
    const { name, checkId, connection, content } = heard
    const row = this.#rows.find(checkId)
    if (name === 'required') {
      if (row === null) await this.#required(heard)
      return
    }
    // Only the organisation that asked for the check has a say in it.
    if (row === null || row.connectionId !== connection.id) return
    if (name === 'session') this.#sessions.set(checkId, sessionIn(row, content))
    else this.#put(checkId, { ...row, state: name })
  }

  async #required({
    checkId,
    connection,
    exchangeThreadId: threadId,
    ...more
  }: HeardAboutCheck): Promise<void> {
    const { expiresAtMs, content } = more
    const { vendor } = content
    if (typeof vendor !== 'string' || expiresAtMs === null) throw new Error('a check of no known form')
    const exchangeId = threadId === null ? null : await this.#exchangeOf(threadId)
    const of = { connectionId: connection.id, exchangeId, threadId }
    this.#put(checkId, { ...of, vendor, expiresAtMs, state: 'required' })
  }

  /** The record of the offer, or of the proof request, in that thread. */
  async #exchangeOf(threadId: string): Promise<string | null> {
    const { credentials, proofs } = this.#parts.agent.didcomm
    const [offer] = await credentials.findAllByQuery({ threadId })
    if (offer !== undefined) return offer.id
    const [request] = await proofs.findAllByQuery({ threadId })
    return request?.id ?? null
  }

  #put(id: string, row: CheckRow): void {
    this.#rows.put(id, row)
    this.#parts.tell({ name: 'faceCheckChanged', data: checkOf(id, row) })
  }

  #stored(id: string): CheckRow {
    const row = this.#rows.stored(id)
    if (row === null || row.expiresAtMs <= this.#parts.clock.now()) throw noSuchCheck()
    return row
  }
}

const checkOf = (id: string, row: CheckRow): FaceCheck => {
  const { expiresAtMs, threadId: _, ...more } = row
  return { id, ...more, expiresAt: new Date(expiresAtMs) }
}

const sessionIn = (
  { vendor, expiresAtMs }: CheckRow,
  { session }: Readonly<Record<string, unknown>>,
): BiometricSession => {
  const fields = typeof session === 'object' && session !== null ? Object.entries(session) : []
  const details = fields.filter((field): field is [string, string] => typeof field[1] === 'string')
  return { vendor, details: Object.fromEntries(details), expiresAt: new Date(expiresAtMs) }
}

const failed = (word: 'again' | 'over'): WalletError =>
  new WalletError('BiometricFailed', `the check was not passed: ${word}`, { code: `biometric_${word}` })

const noSuchCheck = (): WalletError => new WalletError('NotFound', 'there is no check with this id')
