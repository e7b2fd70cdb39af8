import {
  AgreementOpen,
  type LedgerAcceptance,
  type LedgerAgreement,
  type LedgerQuestion,
} from '../ports/ledger.ts'
import type { Acceptance } from './indy-messages.ts'

type Read = (question: LedgerQuestion) => Promise<Record<string, unknown>>

/** A new text stops the writes of this process after this time at the latest; the ledger itself stops them at once. */
const KNOWN_MS = 60_000
const DAY_SECONDS = 86_400
/** Nodes give these refusals a class of their own, which is not that of a request that is wrong for good. */
const ABOUT_AGREEMENT = /InvalidClientTaaAcceptanceError|Txn Author Agreement/

/** The agreement of the ledger, and what operators have accepted of it. */
export class Agreements {
  readonly #read: Read
  #accepted: () => Promise<LedgerAcceptance | null> = () => Promise.resolve(null)
  #known: { readonly agreement: LedgerAgreement | null; readonly untilMs: number } | null = null

  constructor(read: Read) {
    this.#read = read
  }

  acceptedBy(accepted: () => Promise<LedgerAcceptance | null>): void {
    this.#accepted = accepted
  }

  async read(): Promise<LedgerAgreement | null> {
    const { data } = await this.#read({ kind: 'agreement' })
    const agreement = isAgreement(data) ? await this.#withMechanisms(data) : null
    this.#known = { agreement, untilMs: performance.now() + KNOWN_MS }
    return agreement
  }

  /** What a write has to carry; null where the ledger has no agreement. Throws while none is accepted. */
  async acceptance(): Promise<Acceptance | null> {
    const known = this.#known
    const agreement =
      known !== null && performance.now() < known.untilMs ? known.agreement : await this.read()
    if (agreement === null) return null
    const accepted = await this.#accepted()
    if (accepted === null || accepted.digest !== agreement.digest) throw new AgreementOpen()
    const { digest: taaDigest, mechanism, acceptedAtMs } = accepted
    // Whole days only, because anybody could otherwise tell writes of one author by their second.
    return { taaDigest, mechanism, time: Math.floor(acceptedAtMs / 1_000 / DAY_SECONDS) * DAY_SECONDS }
  }

  /** Whether the ledger has refused a write for want of its agreement: then it has another one than is known here. */
  isAbout(error: unknown): boolean {
    const is = error instanceof Error && ABOUT_AGREEMENT.test(error.message)
    if (is) this.#known = null
    return is
  }

  async #withMechanisms({ version, text, digest }: Found): Promise<LedgerAgreement> {
    const { data } = await this.#read({ kind: 'mechanisms' })
    const { aml = {} } = (data ?? {}) as { readonly aml?: Readonly<Record<string, unknown>> }
    const mechanisms = Object.fromEntries(Object.entries(aml).map(([name, means]) => [name, String(means)]))
    return { version, text, digest, mechanisms }
  }
}

type Found = { readonly version: string; readonly text: string; readonly digest: string }

/** A ledger without an agreement answers null, or one without a text where it was switched off. */
const isAgreement = (data: unknown): data is Found =>
  typeof data === 'object' &&
  data !== null &&
  typeof (data as Partial<Found>).digest === 'string' &&
  typeof (data as Partial<Found>).text === 'string' &&
  (data as Found).text !== ''
