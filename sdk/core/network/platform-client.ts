import { textOf } from '../bytes.ts'
import type { Clock, NetworkAnswer } from '../ports.ts'
import { isKind, WalletError } from '../wallet-error.ts'
import { withinTime } from '../within-time.ts'
import { withoutEnd } from './addresses.ts'
import { NoAnswer, type Questions } from './questions.ts'

/** Asks the app's backend for the wallet token of this installation. `again` after the platform has refused one. */
export type TokenProvider = (asked: { readonly again: boolean }) => Promise<string>

/** Longer than a backend takes, and shorter than anybody waits. */
const TOKEN_LIMIT_MS = 30_000

export type Json = Readonly<Record<string, unknown>>

/** The two routes of the service that a wallet calls, and the files that they name. */
export class PlatformClient {
  readonly #questions: Questions
  readonly #baseUrl: string
  readonly #token: TokenProvider
  readonly #clock: Clock

  constructor(questions: Questions, baseUrl: string, token: TokenProvider, clock: Clock) {
    this.#questions = questions
    this.#clock = clock
    this.#baseUrl = withoutEnd(baseUrl)
    this.#token = token
  }

  ledger(): Promise<Json> {
    return this.#get('/v1/ledger')
  }

  mediatorInvitation(): Promise<Json> {
    return this.#get('/v1/wallet/mediator-invitation')
  }

  /** What the platform names is public, so no token goes there. */
  async file(url: string): Promise<Uint8Array> {
    const answer = await this.#ask(url, {})
    if (answer.status !== 200) throw refused(answer)
    return answer.body
  }

  async #get(path: string): Promise<Json> {
    let answer = await this.#withToken(path, false)
    if (answer.status === 401) answer = await this.#withToken(path, true)
    if (answer.status === 401)
      throw new WalletError('WalletTokenRejected', 'the platform refused the token, and the next one too')
    if (answer.status !== 200) throw refused(answer)
    const json = jsonOf(answer)
    if (json === null)
      throw new WalletError('PlatformError', `${path} was answered with something else than JSON`)
    return json
  }

  async #withToken(path: string, again: boolean): Promise<NetworkAnswer> {
    const token = await this.#providedToken(again)
    return await this.#ask(this.#baseUrl + path, { Authorization: `Bearer ${token}` })
  }

  /** The provider asks over a network of its own, so what it fails with may be that there is none. */
  async #providedToken(again: boolean): Promise<string> {
    try {
      const asked = Promise.resolve(this.#token({ again }))
      const token: unknown = await withinTime(this.#clock, TOKEN_LIMIT_MS, asked, noTokenInTime)
      if (typeof token === 'string' && token !== '') return token
    } catch (error) {
      if (isKind(error, 'NetworkUnavailable')) throw error
      if (!(await this.#questions.isOnline()))
        throw new WalletError('NetworkUnavailable', 'there is no network', { cause: error })
      throw noToken(error)
    }
    throw noToken()
  }

  async #ask(url: string, headers: Readonly<Record<string, string>>): Promise<NetworkAnswer> {
    try {
      return await this.#questions.ask(url, { method: 'GET', headers: { Accept: '*/*', ...headers } })
    } catch (error) {
      if (error instanceof NoAnswer)
        throw new WalletError('NetworkUnavailable', error.message, { cause: error })
      throw error
    }
  }
}

const noToken = (cause?: unknown): WalletError =>
  new WalletError('PlatformError', 'the token provider gave no token', {
    code: 'token_provider_failed',
    ...(cause !== undefined && { cause }),
  })

const noTokenInTime = (): Error => new Error('the token provider did not answer in time')

const refused = (answer: NetworkAnswer): WalletError => {
  const { error, reason } = jsonOf(answer) ?? {}
  const retryAfterSeconds = answer.retryAfter === null ? null : Number(answer.retryAfter)
  return new WalletError(
    'PlatformError',
    `the platform answered ${answer.status}${typeof reason === 'string' ? `: ${reason}` : ''}`,
    {
      code: typeof error === 'string' ? error : `status_${answer.status}`,
      retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : null,
    },
  )
}

const jsonOf = ({ body }: NetworkAnswer): Json | null => {
  try {
    const value: unknown = JSON.parse(textOf(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}
