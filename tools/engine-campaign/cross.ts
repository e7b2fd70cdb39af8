import type { PresentationInput } from '../../src/actors/anoncreds-port.ts'
import { type Engine, EngineFailure } from '../../src/anoncreds/engine.ts'
import { LibraryEngine } from '../../src/anoncreds/library-engine.ts'
import { loadNative } from '../../src/anoncreds/native-binary.ts'
import { NativeEngine } from '../../src/anoncreds/native-engine.ts'
import { strictRefusal, parsedDefinitions } from '../../src/anoncreds/strict-checks.ts'
import { alter } from './alterations.ts'
import type { Chance } from './chance.ts'
import { randomAttributes, randomRequest, randomValues } from './shapes.ts'
import {
  type Held,
  libraryDefinition,
  orderFor,
  type Published,
  publishedAs,
  type Requested,
  Wallet,
} from './wallet.ts'

export type HonestVerdicts = Readonly<Record<'library' | 'native' | 'own', string>>

/** Both engines beside each other on random material; throws at the first thing that must not be. */
export class CrossTests {
  readonly #chance: Chance
  readonly #wallet = new Wallet()
  readonly #addon = loadNative()
  readonly #native = new NativeEngine(this.#addon)
  readonly #library = new LibraryEngine()
  #definitions = 0

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** By the own engine or by the library. */
  definition(maker: 'native' | 'library', attributes: readonly string[]): Published {
    this.#definitions += 1
    const name = `${maker}${this.#definitions}`
    if (maker === 'library') return publishedAs(libraryDefinition(name, attributes), name, attributes)
    const order = orderFor(name, attributes)
    const made = JSON.parse(
      this.#addon.generateDefinition(order.schemaId, order.issuerId, order.tag, JSON.stringify(attributes)),
    ) as Record<'credentialDefinition' | 'credentialDefinitionPrivate' | 'keyCorrectnessProof', unknown>
    return publishedAs(
      {
        credentialDefinition: JSON.stringify(made.credentialDefinition),
        credentialDefinitionPrivate: JSON.stringify(made.credentialDefinitionPrivate),
        keyCorrectnessProof: JSON.stringify(made.keyCorrectnessProof),
      },
      name,
      attributes,
    )
  }

  randomDefinition(attributeCount: number): Published {
    return this.definition(
      this.#chance.oneIn(4) ? 'library' : 'native',
      randomAttributes(this.#chance, attributeCount),
    )
  }

  request(published: Published): Requested {
    return this.#wallet.request(published)
  }

  /** Signed by the own engine and accepted by the library's holder. */
  credential(published: Published, requested: Requested = this.request(published)): Held {
    const values = randomValues(this.#chance, published.attributes)
    const credential = this.#native.createCredential({ ...published, ...requested, values })
    return this.#wallet.process(published, requested, credential, values)
  }

  /** A random request and the presentation that answers it honestly. */
  honest(credentials: readonly Held[]): PresentationInput {
    const { request, answers } = randomRequest(this.#chance, credentials)
    return this.#wallet.present(request, answers)
  }

  /** Accepted by the library, by the strict checks, and by the own engine with and without the private key. */
  checkHonest(input: PresentationInput, published: readonly Published[]): HonestVerdicts {
    const refusal = strictRefusal({
      presentation: JSON.parse(input.presentation),
      request: JSON.parse(input.request),
      definitions: parsedDefinitions(input.credentialDefinitions),
    })
    if (refusal !== null)
      throw new Error(`the strict checks refuse an honest presentation: ${refusal}\n${JSON.stringify(input)}`)
    const privates = Object.fromEntries(
      published.map((each) => [each.id, each.credentialDefinitionPrivate] as const),
    )
    const verdicts = {
      library: judge(this.#library, input),
      native: judge(this.#native, input),
      own: judge(this.#native, { ...input, privates }),
    }
    if (Object.values(verdicts).some((verdict) => verdict !== 'accepted')) {
      throw new Error(
        `an honest presentation was judged ${JSON.stringify(verdicts)}\n${JSON.stringify(input)}`,
      )
    }
    return verdicts
  }

  /** Ours never accepts what the library refuses; returns who accepted. */
  checkAltered(honest: PresentationInput): {
    readonly native: string
    readonly library: string
    readonly what: string
  } {
    const { input, what } = alter(this.#chance, honest)
    const native = judge(this.#native, input)
    if (native === 'fault') throw new Error(`the engine failed on: ${what}`)
    const library = judge(this.#library, input)
    if (native === 'accepted' && library !== 'accepted') {
      throw new Error(`the own engine accepts what the library does not: ${what}\n${JSON.stringify(input)}`)
    }
    return { native, library, what }
  }
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
