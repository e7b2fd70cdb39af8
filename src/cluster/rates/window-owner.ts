import type { Runtime } from '../../ports/runtime.ts'
import type { LocalRateWindows, Rate, RateDecision } from '../../timing/rate-windows.ts'
import type { HandedLoan, HandedWindow, Loan, Take, TakeAnswer, Used } from './rate-messages.ts'
import type { RateSettings } from './settings.ts'

export type WindowOwnerPorts = {
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'newId'>
  readonly windows: LocalRateWindows
  /** What the node has used of these loans; none of their places is used any more. */
  readonly giveBack: (node: string, key: string, loans: readonly string[]) => Promise<readonly Used[]>
}

type OpenLoan = {
  readonly id: string
  readonly node: string
  readonly rate: Rate
  readonly places: number
  readonly untilMs: number
  /** So many uses are counted at their own times. */
  told: number
}

type Decided = Extract<TakeAnswer, { is: 'decided' }>

/** Counts the requests of the keys whose owner this node is, and lends places ahead. */
export class WindowOwner {
  readonly #ports: WindowOwnerPorts
  readonly #settings: RateSettings
  readonly #loans = new Map<string, Map<string, OpenLoan>>()
  readonly #givingBack = new Map<string, Promise<void>>()
  #loanCount = 0

  constructor(ports: WindowOwnerPorts, settings: RateSettings) {
    this.#ports = ports
    this.#settings = settings
  }

  get loans(): number {
    return this.#loanCount
  }

  /** One request that comes through `node`, null: through this one. At once unless places have to be asked for. */
  take({ key, rate, wish, used }: Take, node: string | null): Decided | Promise<Decided> {
    if (used !== null) this.tell(key, used)
    this.#endLoans(key)
    const decision = this.#decide(key, rate)
    if (decision.is !== 'refused' || !this.#loans.has(key))
      return { is: 'decided', decision, loan: this.#lend(key, rate, decision, wish, node) }
    return this.#afterGivingBack(key).then(() => {
      return { is: 'decided', decision: this.#decide(key, rate), loan: null }
    })
  }

  /** A report that comes twice, or after its loan was over, changes nothing. */
  tell(key: string, { loan: id, agesMs, isOver }: Used): void {
    const loan = this.#loans.get(key)?.get(id)
    if (loan === undefined) return
    const nowMs = this.#ports.runtime.monotonicMs()
    const uses = agesMs.slice(0, loan.places)
    for (const ageMs of uses.slice(loan.told)) this.#ports.windows.note(key, loan.rate, nowMs - ageMs)
    loan.told = Math.max(loan.told, uses.length)
    if (isOver || loan.told === loan.places) this.#close(key, loan)
  }

  /** For the next owner of these keys. What was counted is known here as well, should that owner be out of reach. */
  handOver(isMeant: (key: string) => boolean): readonly HandedWindow[] {
    const { windows, runtime } = this.#ports
    const nowMs = runtime.monotonicMs()
    const keys = [...windows.keys()].filter(isMeant)
    const all = keys.map((key): HandedWindow => {
      const agesMs = windows.timesOf(key).map((atMs) => nowMs - atMs)
      const loans = [...(this.#loans.get(key)?.values() ?? [])]
      const rate = windows.rateOf(key) ?? { max: 0, windowMs: 0 }
      for (const loan of loans) this.#close(key, loan)
      return { key, rate, agesMs, loans: loans.map((loan) => handed(loan, nowMs)) }
    })
    const busiest = all.toSorted((one, other) => other.agesMs.length - one.agesMs.length)
    return busiest.slice(0, this.#settings.handedOverKeysMax)
  }

  /** What the owner before counted. What came through this node before `openedMs` is among it. */
  takeOver({ key, rate, agesMs, loans }: HandedWindow, atMs: number, openedMs: number): void {
    const { windows } = this.#ports
    const since = windows.timesOf(key).filter((timeMs) => timeMs >= openedMs)
    windows.forget(key)
    for (const ageMs of agesMs) windows.note(key, rate, atMs - ageMs)
    for (const timeMs of since) windows.note(key, rate, timeMs)
    for (const { id, node, places, told, forMs } of loans)
      this.#open(key, { id, node, rate, places, told, untilMs: atMs + forMs })
  }

  #decide(key: string, rate: Rate): RateDecision {
    const { windows } = this.#ports
    const decision = windows.take(key, rate, this.#lentOf(key))
    if (decision.is !== 'refused') return decision
    // What is lent may be free sooner.
    return { ...decision, resetMs: Math.min(decision.resetMs, this.#loansEndInMs(key)) }
  }

  #lentOf(key: string): number {
    let lent = 0
    for (const { places, told } of this.#loans.get(key)?.values() ?? []) lent += places - told
    return lent
  }

  #loansEndInMs(key: string): number {
    const nowMs = this.#ports.runtime.monotonicMs()
    let endMs = Number.POSITIVE_INFINITY
    for (const { untilMs } of this.#loans.get(key)?.values() ?? []) endMs = Math.min(endMs, untilMs - nowMs)
    return endMs
  }

  #lend(
    key: string,
    { max, windowMs }: Rate,
    decision: RateDecision,
    wish: number | null,
    node: string | null,
  ): Loan | null {
    const { placesMax, shareOfRest, loansMax, loanMs, marginMs } = this.#settings
    if (node === null || wish === null || decision.is !== 'admitted') return null
    const restOfHalf = decision.remaining - Math.ceil(max / 2)
    const places = Math.min(wish, placesMax, Math.floor(restOfHalf / shareOfRest))
    if (places < 1 || this.#loanCount >= loansMax) return null
    const { runtime } = this.#ports
    const id = runtime.newId()
    const untilMs = runtime.monotonicMs() + loanMs + marginMs
    this.#open(key, { id, node, rate: { max, windowMs }, places, untilMs, told: 0 })
    return { id, places, forMs: loanMs }
  }

  #open(key: string, loan: OpenLoan): void {
    const loans = this.#loans.get(key) ?? new Map<string, OpenLoan>()
    loans.set(loan.id, loan)
    this.#loans.set(key, loans)
    this.#loanCount++
  }

  #close(key: string, { id }: OpenLoan): void {
    const loans = this.#loans.get(key)
    if (loans?.delete(id) !== true) return
    this.#loanCount--
    if (loans.size === 0) this.#loans.delete(key)
  }

  /** What nobody has told of counts as used, at the last moment at which it can have been. */
  #endLoans(key: string): void {
    const nowMs = this.#ports.runtime.monotonicMs()
    for (const loan of this.#loans.get(key)?.values() ?? []) {
      if (nowMs < loan.untilMs) continue
      for (let place = loan.told; place < loan.places; place++)
        this.#ports.windows.note(key, loan.rate, loan.untilMs)
      this.#close(key, loan)
    }
  }

  /** All requests that would be refused meanwhile wait for the same answers. */
  #afterGivingBack(key: string): Promise<void> {
    const running = this.#givingBack.get(key)
    if (running !== undefined) return running
    const giving = this.#giveBack(key).finally(() => this.#givingBack.delete(key))
    this.#givingBack.set(key, giving)
    return giving
  }

  async #giveBack(key: string): Promise<void> {
    const byNode = new Map<string, string[]>()
    for (const { id, node } of this.#loans.get(key)?.values() ?? [])
      byNode.set(node, [...(byNode.get(node) ?? []), id])
    const asked = [...byNode].map(async ([node, loans]) => {
      for (const used of await this.#ports.giveBack(node, key, loans)) this.tell(key, used)
    })
    await Promise.allSettled(asked)
    this.#endLoans(key)
  }
}

const handed = ({ id, node, places, told, untilMs }: OpenLoan, nowMs: number): HandedLoan => {
  return { id, node, places, told, forMs: untilMs - nowMs }
}
