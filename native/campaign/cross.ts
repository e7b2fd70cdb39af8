import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import { type Engine, EngineFailure } from '../../src/anoncreds/engine.ts'
import { LibraryEngine } from '../../src/anoncreds/library-engine.ts'
import { loadNative } from '../../src/anoncreds/native-binary.ts'
import { NativeEngine } from '../../src/anoncreds/native-engine.ts'
import { parsedDefinitions, strictRefusal } from '../../src/anoncreds/strict-checks.ts'
import { type Altered, alter } from './alterations.ts'
import type { Random } from '../../tools/simulate/random.ts'
import { provePlainly } from './plain-prover.ts'
import { type Pair, recombine } from './recombinations.ts'
import { randomAttributes, randomRequest, randomValues } from './shapes.ts'
import { define, type Held, type Published, Wallet } from './wallet.ts'

export type HonestVerdicts = Readonly<Record<'library' | 'native' | 'own', string>>

export type AlteredVerdicts = HonestVerdicts & {
  /** What is checked of the texts before any engine sees them. */
  readonly checks: string
}

/** Honest presentations to be altered, and what both verifiers of ours need to judge them. */
export type Base = Pair & { readonly published: readonly Published[] }

type Values = Readonly<Record<string, string>>

/** Both engines beside each other on random material; throws at the first thing that must not be. */
export class CrossTests {
  readonly #chance: Random
  readonly wallet = new Wallet()
  readonly #stranger = new Wallet()
  readonly #addon = loadNative()
  readonly #native = new NativeEngine(this.#addon)
  readonly #library = new LibraryEngine()
  #definitions = 0

  constructor(chance: Random) {
    this.#chance = chance
  }

  /** A definition made by the own engine or by the library. */
  definition(maker: 'native' | 'library', attributes: readonly string[]): Published {
    this.#definitions += 1
    const name = `${maker}${this.#definitions}`
    return define(maker === 'native' ? this.#addon : null, name, attributes)
  }

  randomDefinition(attributeCount: number): Published {
    return this.definition(
      this.#chance.oneIn(4) ? 'library' : 'native',
      randomAttributes(this.#chance, attributeCount),
    )
  }

  /** Signed by the own engine and accepted by the library's holder. */
  credential(published: Published, values: Values = this.values(published)): Held {
    return this.#issued(this.wallet, published, values)
  }

  #issued(wallet: Wallet, published: Published, values: Values): Held {
    const requested = wallet.request(published)
    const credential = this.#native.createCredential({ ...published, ...requested, values })
    return wallet.process(published, requested, credential, values)
  }

  values(published: Published): Values {
    return randomValues(this.#chance, published.attributes)
  }

  /** A random request and the presentation that answers it honestly. */
  honest(credentials: readonly Held[], predicatesMax = 4): PresentationInput {
    const { request, answers } = randomRequest(this.#chance, credentials, predicatesMax)
    return this.wallet.present(request, answers)
  }

  /** Two presentations of the same credentials. */
  base(credentials: readonly Held[]): Base {
    const published = credentials.map((one) => one.published)
    const [honest, other] = [this.honest(credentials), this.honest(credentials)]
    return { honest, other, published }
  }

  /** One of the credentials was issued to another holder, as if two holders had put theirs together. */
  mixed(credentials: readonly Held[]): PresentationInput {
    const theirs = this.#chance.integer(0, credentials.length - 1)
    return this.honest(credentials.map((one, index) => (index === theirs ? this.#ofStranger(one) : one)))
  }

  #ofStranger({ published, values }: Held): Held {
    return this.#issued(this.#stranger, published, values)
  }

  /** Sound in everything, but for the holders: each credential is proved with the link secret it was issued to. */
  ofTwoHolders([first, second]: readonly [Held, Held]): PresentationInput {
    return provePlainly([
      { held: first, linkSecret: this.wallet.linkSecret },
      { held: this.#ofStranger(second), linkSecret: this.#stranger.linkSecret },
    ])
  }

  /** The same way of proving, with credentials of one holder. */
  provedPlainly(credentials: readonly Held[]): PresentationInput {
    return provePlainly(credentials.map((held) => ({ held, linkSecret: this.wallet.linkSecret })))
  }

  /** Without any credential: everything is the holder's own word. */
  selfAttested(): PresentationInput {
    const request = {
      name: 'request',
      version: '1.0',
      nonce: String(this.#chance.integer(1, 2 ** 31)),
      requested_attributes: { nickname: { name: 'nickname' } },
      requested_predicates: {},
    }
    return this.wallet.present(JSON.stringify(request), [], { nickname: 'Ann' })
  }

  /** Accepted by the library, by the strict checks, and by the own engine with and without the private key. */
  checkHonest(input: PresentationInput, published: readonly Published[]): HonestVerdicts {
    const { checks, ...verdicts } = this.#verdicts(input, published)
    if (checks !== 'accepted')
      throw new Error(`the strict checks refuse an honest presentation\n${JSON.stringify(input)}`)
    if (Object.values(verdicts).some((verdict) => verdict !== 'accepted')) {
      throw new Error(
        `an honest presentation was judged ${JSON.stringify(verdicts)}\n${withPrivates(input, published)}`,
      )
    }
    return verdicts
  }

  /** Another input than the honest one; null where chance changed nothing. */
  altered(base: Base): Altered | null {
    return this.#chance.oneIn(3) ? recombine(this.#chance, base) : alter(this.#chance, base.honest)
  }

  /**
   * Ours never accepts what the library refuses, with the private keys as without them, and both ways of ours agree.
   */
  checkAltered({ input, kind }: Altered, published: readonly Published[]): AlteredVerdicts {
    const verdicts = this.#verdicts(input, published)
    const { library, native, own } = verdicts
    const fail = (what: string): never => {
      throw new Error(`${what} (${kind}): ${JSON.stringify(verdicts)}\n${withPrivates(input, published)}`)
    }
    if (native === 'fault' || own === 'fault') fail('the engine failed')
    if (library !== 'accepted' && (native === 'accepted' || own === 'accepted'))
      fail('the own engine accepts what the library does not')
    if ((native === 'accepted') !== (own === 'accepted')) fail('the private key changes the verdict')
    return verdicts
  }

  #verdicts(input: PresentationInput, published: readonly Published[]): AlteredVerdicts {
    const privates = privatesOf(published)
    return {
      library: judge(this.#library, input),
      native: judge(this.#native, input),
      own: judge(this.#native, { ...input, privates }),
      checks: judgeStrictly(input),
    }
  }
}

const privatesOf = (published: readonly Published[]): Readonly<Record<string, string>> =>
  Object.fromEntries(published.map((each) => [each.id, each.credentialDefinitionPrivate] as const))

/** A seed draws the same shapes, never the same keys: what failed is said with them. */
const withPrivates = (input: PresentationInput, published: readonly Published[]): string =>
  JSON.stringify({ ...input, privates: privatesOf(published) })

const judgeStrictly = (input: PresentationInput): 'accepted' | 'refused' => {
  const refusal = strictRefusal({
    presentation: JSON.parse(input.presentation),
    request: JSON.parse(input.request),
    definitions: parsedDefinitions(input.credentialDefinitions),
  })
  return refusal === null ? 'accepted' : 'refused'
}

const judge = (
  engine: Engine,
  input: PresentationInput,
): 'accepted' | 'refused' | 'not-understood' | 'fault' => {
  try {
    return engine.verifyPresentation(input) ? 'accepted' : 'refused'
  } catch (error) {
    // The library's wrapper throws its own errors for shapes it cannot pass on; that is a refusal.
    if (error instanceof EngineFailure) return engine.name === 'library' ? 'refused' : error.kind
    throw error
  }
}
