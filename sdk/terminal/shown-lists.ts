import type { Credential, Offer, ProofRequest, Sdk } from '../core/public.ts'
import { shownCredential, shownOffer, shownRequest } from './shown.ts'

/** What a person sees instead of what was asked for. */
export class Mistake extends Error {}

type Listed = { readonly id: string }

/** A list that a person has seen, whose numbers are what the next line says. */
type List<Thing extends Listed> = {
  readonly name: string
  readonly one: string
  readonly none: string
  readonly read: (sdk: Sdk) => Promise<readonly Thing[]>
  readonly line: (thing: Thing) => string
  /** Why nothing can be decided about it any more; null where something can. */
  readonly over: (thing: Thing) => string | null
}

export const offers: List<Offer> = {
  name: 'offers',
  one: 'offer',
  none: 'No offer.',
  read: (sdk) => sdk.offers.list(),
  line: shownOffer,
  over: ({ state }) => (state === 'offered' ? null : state),
}
export const requests: List<ProofRequest> = {
  name: 'requests',
  one: 'request',
  none: 'No request.',
  read: (sdk) => sdk.proofRequests.list(),
  line: shownRequest,
  over: ({ state }) => (state === 'requested' ? null : state),
}
export const credentials: List<Credential> = {
  name: 'credentials',
  one: 'credential',
  none: 'No credential yet.',
  read: (sdk) => sdk.credentials.list(),
  line: shownCredential,
  over: () => null,
}

/** A wallet, and which lists of it were shown: new things come first, so numbers move while nobody looks. */
export class Shown {
  readonly sdk: Sdk
  readonly #ids = new Map<string, readonly string[]>()

  constructor(sdk: Sdk) {
    this.sdk = sdk
  }

  async show<Thing extends Listed>(list: List<Thing>): Promise<readonly string[]> {
    const things = await list.read(this.sdk)
    this.#ids.set(
      list.name,
      things.map(({ id }) => id),
    )
    return numbered(things.map(list.line), list.none)
  }

  /** The thing that had this number when the list was shown; where none is given, the only one that is open. */
  async chosen<Thing extends Listed>(list: List<Thing>, number: string): Promise<Thing> {
    const things = await list.read(this.sdk)
    if (number === '') return onlyOne(list, things)
    const ids = this.#ids.get(list.name) ?? things.map(({ id }) => id)
    const id = /^[1-9]\d*$/.test(number) ? ids[Number(number) - 1] : undefined
    if (id === undefined) throw new Mistake(`There is no ${list.one} ${number}.`)
    const thing = things.find((each) => each.id === id)
    const over = thing === undefined ? 'over' : list.over(thing)
    if (thing === undefined || over !== null)
      throw new Mistake(
        `The ${list.one} ${number} is ${over ?? 'over'}. Say ${list.name} to see what there is.`,
      )
    return thing
  }
}

const onlyOne = <Thing extends Listed>(list: List<Thing>, things: readonly Thing[]): Thing => {
  const [thing, ...others] = things.filter((each) => list.over(each) === null)
  if (thing === undefined) throw new Mistake(`There is no ${list.one} yet.`)
  if (others.length > 0)
    throw new Mistake(`There are ${others.length + 1} of them: say ${list.name}, and then which one.`)
  return thing
}

export const numbered = (lines: readonly string[], none: string): readonly string[] =>
  lines.length === 0 ? [none] : lines.map((line, index) => `${index + 1}. ${line}`)
