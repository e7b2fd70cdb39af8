import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { EgressFailed } from './failures.ts'
import { notPublic } from './target.ts'
import { localAddressesOf, searchedNames, type NameFiles, systemFiles } from './name-files.ts'

export type NameSettings = NameFiles & {
  /** Null for those of the machine. */
  readonly servers: readonly string[] | null
  readonly underWayMax: number
  /** Search domains lead into the operator's own network; what is public has the same name everywhere. */
  readonly searchesDomains: boolean
}

export const systemNames: NameSettings = {
  ...systemFiles,
  servers: null,
  underWayMax: 1_024,
  searchesDomains: false,
}

type Addresses = readonly LookupAddress[]
type Outcome = { readonly addresses: Addresses } | { readonly failure: Error }
type Lookup = { readonly addresses: Promise<Addresses>; readonly giveUp: (failure: Error) => void }

/** Each name server is tried once. */
const SERVER_TIMEOUT_MS = 2_000
/** All name servers and search domains together. */
const LOOKUP_TIMEOUT_MS = 5_000
const ADDRESSES_KEPT_MS = 10_000
const FAILURE_KEPT_MS = 5_000
const NAMES_KEPT_MAX = 10_000

/**
 * The addresses of host names. Node's `dns.lookup` has two threads for all names, which names with silent servers hold;
 * here each name waits for its own servers alone. Lookups of one name at the same time are one, and what came of it is
 * kept for seconds.
 */
export class Names implements Disposable {
  readonly #settings: NameSettings
  readonly #kept = new LRUCache<string, Outcome>({ max: NAMES_KEPT_MAX })
  /** The oldest first. */
  readonly #underWay = new Map<string, Lookup>()

  constructor(settings: NameSettings) {
    this.#settings = settings
  }

  get underWay(): number {
    return this.#underWay.size
  }

  /** One at least; rejects where there is none. */
  async addressesOf(host: string): Promise<Addresses> {
    const name = host.toLowerCase()
    const kept = this.#kept.get(name)
    if (kept !== undefined) return addressesIn(kept)
    const local = localAddressesOf(name, this.#settings)
    if (local.length > 0) return local.map(toLookupAddress)
    return (this.#underWay.get(name) ?? this.#begin(name)).addresses
  }

  [Symbol.dispose](): void {
    for (const { giveUp } of this.#underWay.values()) giveUp(new EgressFailed('the call was given up'))
  }

  #begin(name: string): Lookup {
    if (this.#underWay.size >= this.#settings.underWayMax) this.#giveUpOldest()
    const { servers, searchesDomains } = this.#settings
    const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: 1 })
    if (servers !== null) resolver.setServers(servers)
    const { promise, resolve, reject } = Promise.withResolvers<Addresses>()
    const giveUp = (failure: Error): void => {
      reject(failure)
      resolver.cancel()
    }
    const lookup = { addresses: promise, giveUp }
    this.#underWay.set(name, lookup)
    const timer = setTimeout(() => giveUp(tooLate()), LOOKUP_TIMEOUT_MS)
    const end = (outcome: Outcome, keptMs: number): void => {
      clearTimeout(timer)
      if (this.#underWay.get(name) !== lookup) return
      this.#underWay.delete(name)
      this.#kept.set(name, outcome, { ttl: keptMs })
    }
    promise.then(
      (addresses) => end({ addresses }, ADDRESSES_KEPT_MS),
      (failure: Error) => end({ failure }, FAILURE_KEPT_MS),
    )
    resolveFirst(resolver, searchesDomains ? searchedNames(name, this.#settings) : [name]).then(
      resolve,
      reject,
    )
    return lookup
  }

  /** It waits for a silent server, or it would have ended: a new one that may be answered gets its place. */
  #giveUpOldest(): void {
    for (const [name, { giveUp }] of this.#underWay) {
      this.#underWay.delete(name)
      giveUp(new EgressFailed('too many host names are looked up'))
      return
    }
  }
}

/** The lookup of sockets: they connect to one of exactly these addresses. */
export const lookupAmong =
  (names: Pick<Names, 'addressesOf'>, isAllowed: (address: string) => boolean): LookupFunction =>
  async (host, { all }, callback) => {
    let allowed: LookupAddress[]
    try {
      allowed = (await names.addressesOf(host)).filter(({ address }) => isAllowed(address))
    } catch (error) {
      return callback(error as Error, '', 0)
    }
    const [first] = allowed
    if (!first) return callback(notPublic(), '', 0)
    if (all) return callback(null, allowed)
    callback(null, first.address, first.family)
  }

const tooLate = (): EgressFailed => new EgressFailed('the name servers did not answer in time')

const addressesIn = (outcome: Outcome): Addresses => {
  if ('failure' in outcome) throw outcome.failure
  return outcome.addresses
}

const toLookupAddress = (address: string): LookupAddress => ({ address, family: isIP(address) })

/** What the first of the names has that has any; else why there is none, where that is more than that it does not exist. */
const resolveFirst = async (resolver: Resolver, names: readonly string[]): Promise<Addresses> => {
  let failure: unknown
  for (const name of names) {
    const outcomes = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    if (found.length > 0) return found.map(toLookupAddress)
    const reasons = outcomes.flatMap((outcome): readonly unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    if (reasons.some((reason) => codeOf(reason) === 'ECANCELLED')) throw reasons[0]
    const telling = reasons.find((reason) => !isAbsence(reason)) ?? reasons[0]
    if (failure === undefined || isAbsence(failure)) failure = telling
  }
  throw failure
}

const isAbsence = (error: unknown): boolean => ['ENOTFOUND', 'ENODATA'].includes(codeOf(error))

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
