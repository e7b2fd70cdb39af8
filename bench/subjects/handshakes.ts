import type { ExchangeStage } from './exchange-stage.ts'

/** Wallets that are let go of, and webhooks that are forgotten, after so many. */
const AT_A_TIME = 1_000

/** Handshakes with the service by invitations for one holder each, and by a single one for many. */
export class Handshakes {
  readonly #stage: ExchangeStage
  readonly #atOnce: number
  readonly #many: { readonly invitationId: string; readonly url: string }
  #uses = 0

  private constructor(
    stage: ExchangeStage,
    atOnce: number,
    many: { readonly invitationId: string; readonly url: string },
  ) {
    this.#stage = stage
    this.#atOnce = atOnce
    this.#many = many
  }

  static async of(stage: ExchangeStage, atOnce: number): Promise<Handshakes> {
    return new Handshakes(stage, atOnce, (await stage.parts.tenant.call('inviteMany')).value)
  }

  async measured(count: number, by: 'one' | 'many') {
    const { cpuMs, wallMs } = await this.#stage.measured(() =>
      by === 'one' ? this.#connectEach(count) : this.#connectByOne(count),
    )
    await this.#forget()
    return { cpu_ms: cpuMs / count, per_s: count / (wallMs / 1_000) }
  }

  /** Until the invitation for many was used so often. */
  async use(uses: number, progress: (text: string) => void): Promise<void> {
    while (this.#uses < uses) {
      await this.#connectByOne(Math.min(AT_A_TIME, uses - this.#uses))
      await this.#forget()
      progress(`${this.#uses} of ${uses} uses of one invitation`)
    }
  }

  /** Throws unless every wallet that used the invitation for many is connected. */
  async check(): Promise<void> {
    await this.#stage.quiet()
    const path = `/v1/connections?invitationId=${this.#many.invitationId}&state=completed`
    const { total } = (await this.#stage.parts.tenant.call('get', path)).value
    if (total !== this.#uses) throw new Error(`${String(total)} of ${this.#uses} wallets are connected`)
  }

  async #connectEach(count: number): Promise<void> {
    await this.#stage.connect(count)
  }

  async #connectByOne(count: number): Promise<void> {
    const urls = Array.from({ length: count }, () => this.#many.url)
    await this.#stage.parts.wallets.call('connect', urls, this.#atOnce)
    this.#uses += count
  }

  async #forget(): Promise<void> {
    await this.#stage.parts.wallets.call('forget')
    await this.#stage.checkWebhooks()
  }
}
