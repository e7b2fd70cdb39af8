import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { LedgerBusy, type LedgerQuestion, LedgerUnavailable } from '../ports/ledger.ts'

type Settings = {
  readonly read: (question: LedgerQuestion) => Promise<string>
  /** Whether the pool is known to be away: nothing is asked of it then, because its client waits with a whole core. */
  readonly isAway?: () => boolean
  readonly atOnceMax?: number
  readonly waitingMax?: number
  /** Of all answers that are kept together. */
  readonly charactersMax?: number
  /** By which answers grow old. */
  readonly clock?: { readonly now: () => number }
}

/** As the answer stands in the cache of whoever asked. */
export type VdrAnswer = { readonly text: string; readonly cacheSeconds: number }

/** Strangers never hold more than these few places at the ledger, so organisations do not wait for them. */
const AT_ONCE_MAX = 8
const WAITING_MAX = 64
const ANSWERS_MAX = 1_000
/** A definition of 125 attributes has 100,000. */
const CHARACTERS_MAX = 16_777_216
const FOUND_SECONDS = 3_600
const CHANGING_SECONDS = 60
const ABSENT_SECONDS = 5

/** What strangers read of the ledger: a lane of their own, and one request for all who ask the same. */
export class VdrReads {
  readonly #settings: Settings
  readonly #lane
  readonly #waitingMax: number
  readonly #answers: LRUCache<string, VdrAnswer>
  readonly #asking = new Map<string, Promise<VdrAnswer>>()

  constructor(settings: Settings) {
    this.#settings = settings
    this.#lane = pLimit(settings.atOnceMax ?? AT_ONCE_MAX)
    this.#waitingMax = settings.waitingMax ?? WAITING_MAX
    this.#answers = new LRUCache<string, VdrAnswer>({
      max: ANSWERS_MAX,
      maxSize: settings.charactersMax ?? CHARACTERS_MAX,
      sizeCalculation: ({ text }, key) => text.length + key.length,
      ttlResolution: 0,
      ...(settings.clock && { perf: settings.clock }),
    })
  }

  /** The answer of the ledger in the words in which its nodes give it. */
  async answer(question: LedgerQuestion): Promise<VdrAnswer> {
    const key = JSON.stringify(question)
    const known = this.#answers.get(key)
    // Whoever keeps it as well must not make it older than it may become here.
    if (known !== undefined)
      return { ...known, cacheSeconds: Math.floor(this.#answers.getRemainingTTL(key) / 1_000) }
    const asking = this.#asking.get(key) ?? this.#ask(key, question)
    return asking
  }

  #ask(key: string, question: LedgerQuestion): Promise<VdrAnswer> {
    if (this.#settings.isAway?.() === true)
      return Promise.reject(new LedgerUnavailable('the nodes of the ledger do not answer'))
    if (this.#lane.pendingCount >= this.#waitingMax)
      return Promise.reject(new LedgerBusy('too many read the ledger from outside'))
    const asked = this.#lane(() => this.#settings.read(question))
      .then((result) => {
        const answer = {
          text: `{"op":"REPLY","result":${result}}`,
          cacheSeconds: secondsOf(question, JSON.parse(result) as Found),
        }
        this.#answers.set(key, answer, { ttl: answer.cacheSeconds * 1_000 })
        return answer
      })
      .finally(() => this.#asking.delete(key))
    this.#asking.set(key, asked)
    return asked
  }
}

type Found = { readonly data?: unknown; readonly seqNo?: unknown }

/** Schemas, definitions and transactions never change; the rest may at any time. */
const secondsOf = ({ kind }: LedgerQuestion, { data, seqNo }: Found): number => {
  const isFound = data !== null && data !== undefined && (kind !== 'schema' || typeof seqNo === 'number')
  if (!isFound) return ABSENT_SECONDS
  return kind === 'schema' || kind === 'definition' || kind === 'transaction'
    ? FOUND_SECONDS
    : CHANGING_SECONDS
}
