import type { CredentialInput, PresentationInput } from '../../src/ports/anoncreds.ts'
import { LibraryEngine } from '../../src/anoncreds/library-engine.ts'
import { loadNative } from '../../src/anoncreds/native-binary.ts'
import { NativeEngine } from '../../src/anoncreds/native-engine.ts'
import { define, type Held, type Published, Wallet } from '../../native/campaign/wallet.ts'

export type Maker = 'library' | 'native'
export type Subject = { readonly maker: Maker; readonly attributes: number }
export type Verifying = 'library' | 'own' | 'public'

type Prepared = {
  readonly published: Published
  readonly held: Held
  readonly issuing: CredentialInput
  readonly presentations: ReadonlyMap<number, PresentationInput>
}

const addon = loadNative()
const native = new NativeEngine(addon)
const library = new LibraryEngine()
const wallet = new Wallet()
const prepared = new Map<string, Prepared>()

/** Processor time of one synchronous piece of work: neighbours on the machine hardly move it. */
const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const makers = { library: null, native: addon } as const

const keyOf = ({ maker, attributes }: Subject): string => `${maker}${attributes}`

/** A request for two revealed attributes (one, where there is no more) and so many predicates. */
const present = (held: Held, predicates: number): PresentationInput => {
  const names = held.published.attributes
  const asked = names.slice(predicates > 0 ? 1 : 0).slice(0, 2)
  const requested_attributes = Object.fromEntries(
    asked.map((name, index) => [`a${index}`, { name }] as const),
  )
  const bounds = Array.from({ length: predicates }, (_, index) => [`p${index}`, index] as const)
  const requested_predicates = Object.fromEntries(
    bounds.map(([referent, bound]) => [referent, { name: names[0], p_type: '>=', p_value: bound }] as const),
  )
  const body = { name: 'r', version: '1.0', ver: '2.0', nonce: '123456789012345' }
  const request = JSON.stringify({ ...body, requested_attributes, requested_predicates })
  const answer = {
    held,
    revealed: Object.keys(requested_attributes),
    hidden: [],
    predicates: Object.keys(requested_predicates),
  }
  return wallet.present(request, [answer])
}

export function prepare(subject: Subject, predicateCounts: readonly number[]): void {
  const attributes = Array.from({ length: subject.attributes }, (_, index) => `attribute ${index}`)
  const published = define(makers[subject.maker], keyOf(subject), attributes)
  const values = Object.fromEntries(
    attributes.map((name, index) => [name, index === 0 ? '1000' : `text ${index}`] as const),
  )
  const requested = wallet.request(published)
  const issuing = { ...published, ...requested, values }
  const held = wallet.process(published, requested, native.createCredential(issuing), values)
  const presentations = new Map(predicateCounts.map((count) => [count, present(held, count)] as const))
  prepared.set(keyOf(subject), { published, held, issuing, presentations })
}

const preparedFor = (subject: Subject): Prepared => {
  const found = prepared.get(keyOf(subject))
  if (!found) throw new Error(`nothing is prepared for ${keyOf(subject)}`)
  return found
}

/** The own engine searches each prime on the spot: a pool filled before would hide that work. */
export function issue(subject: Subject, engine: Maker): number {
  const { issuing } = preparedFor(subject)
  addon.discardPrimePool()
  const chosen = engine === 'native' ? native : library
  return cpuMs(() => void chosen.createCredential(issuing))
}

export function issueWithPooledPrime(subject: Subject): number {
  const { issuing } = preparedFor(subject)
  addon.fillPrimePool(1)
  return cpuMs(() => void native.createCredential(issuing))
}

export function verify(subject: Subject, verifying: Verifying, predicates: number): number {
  const { published, presentations } = preparedFor(subject)
  const input = presentations.get(predicates)
  if (!input) throw new Error(`no presentation with ${predicates} predicates`)
  const privates = verifying === 'own' ? { [published.id]: published.credentialDefinitionPrivate } : {}
  const engine = verifying === 'library' ? library : native
  return cpuMs(() => {
    if (!engine.verifyPresentation({ ...input, privates }))
      throw new Error('an honest presentation was refused')
  })
}

/** What a wallet computes to prove so many comparisons of one attribute. */
export function prove(subject: Subject, predicates: number): number {
  const { held } = preparedFor(subject)
  return cpuMs(() => void present(held, predicates))
}

export function presentationBytes(subject: Subject, predicates: number): number {
  return verification(subject, predicates).presentation.length
}

/** What a holder's wallet computes: request, check of the credential, presentation with one predicate. */
export function hold(subject: Subject): number {
  const { published, issuing } = preparedFor(subject)
  let requested = wallet.request(published)
  const request = cpuMs(() => {
    requested = wallet.request(published)
  })
  const credential = native.createCredential({ ...issuing, ...requested })
  let held = preparedFor(subject).held
  const process = cpuMs(() => {
    held = wallet.process(published, requested, credential, issuing.values)
  })
  return request + process + cpuMs(() => void present(held, 1))
}

export function generate(engine: Maker, round: number): number {
  return cpuMs(() => void define(makers[engine], `timed${engine}${round}`, ['a', 'b', 'c', 'd', 'e']))
}

/** Bytes that a definition alone holds once it has issued and verified, and what a foreign one that verified holds. */
export function definitionBytes(subject: Subject): { readonly own: number; readonly foreign: number } {
  const { capacityBytes } = addon.status()
  const holding = (work: () => void): number => {
    addon.setCapacity(0)
    addon.setCapacity(capacityBytes)
    // The first use builds tables; a second shows whether more come.
    for (let use = 0; use < 2; use += 1) work()
    const { definitions, definitionBytes: bytes } = addon.status()
    if (definitions !== 1) throw new Error(`${definitions} definitions are loaded, not one`)
    return bytes
  }
  const own = holding(() => {
    issue(subject, 'native')
    verify(subject, 'own', 1)
  })
  return { own, foreign: holding(() => verify(subject, 'public', 1)) }
}

/** What a credential is made of, for load on threads. */
export function issuance(subject: Subject): CredentialInput {
  return preparedFor(subject).issuing
}

/** A presentation with its keys, for load on threads. */
export function verification(subject: Subject, predicates: number): PresentationInput {
  const { published, presentations } = preparedFor(subject)
  const input = presentations.get(predicates)
  if (!input) throw new Error(`no presentation with ${predicates} predicates`)
  return { ...input, privates: { [published.id]: published.credentialDefinitionPrivate } }
}
