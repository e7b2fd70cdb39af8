import type { CredentialInput, JsonText, PresentationInput } from '../ports/anoncreds.ts'
import { isOutOfBounds } from '../domain/json-bounds.ts'
import { type Engine, EngineFailure } from './engine.ts'
import { issueRefusal } from './issue-checks.ts'
import { parsedDefinitions, strictRefusal } from './strict-checks.ts'

export type EngineChoice = 'auto' | 'native' | 'library' | 'compare'

type Fallback = 'not-understood' | 'fault'

/** The answer, the engine that gave it, and why the own engine did not. */
export type Outcome<Value> = {
  readonly value: Value
  readonly engine: 'native' | 'library' | 'both' | 'checks'
  readonly fallback?: Fallback | 'not-loaded'
}

export type Engines = { readonly native: Engine | null; readonly library: Engine }

/** Runs the configured engine, with the strict checks before every verification. */
export class EngineSelection {
  readonly #choice: EngineChoice
  readonly #engines: Engines

  constructor(choice: EngineChoice, engines: Engines) {
    if (engines.native === null && (choice === 'native' || choice === 'compare')) {
      throw new EngineFailure('fault', 'the native engine is configured and does not load', 'native')
    }
    this.#choice = choice
    this.#engines = engines
  }

  createCredential(input: CredentialInput): Outcome<JsonText> {
    const refusal = issueRefusal(input)
    if (refusal !== null) throw new EngineFailure('refused', refusal, 'checks')
    return this.#run((engine) => engine.createCredential(input), ours, ['not-understood'])
  }

  verifyPresentation(input: PresentationInput): Outcome<boolean> {
    const checked = checkedInput(input)
    if (checked === null) return { value: false, engine: 'checks' }
    return this.#run((engine) => verdict(engine, checked), equalVerdicts, ['not-understood', 'fault'])
  }

  /**
   * `mended` are the failures after which the library is asked. A fault while signing is never among them, because a
   * secret may be at stake.
   */
  #run<Value>(
    work: (engine: Engine) => Value,
    agree: Agreement<Value>,
    mended: readonly Fallback[],
  ): Outcome<Value> {
    const { native, library } = this.#engines
    if (this.#choice === 'library') return { value: work(library), engine: 'library' }
    if (native === null) return { value: work(library), engine: 'library', fallback: 'not-loaded' }
    if (this.#choice === 'compare') return compare(native, library, work, agree)
    try {
      return { value: work(native), engine: 'native' }
    } catch (error) {
      if (this.#choice === 'native' || !(error instanceof EngineFailure)) throw error
      const fallback = mended.find((kind) => kind === error.kind)
      if (fallback === undefined) throw error
      return { value: work(library), engine: 'library', fallback }
    }
  }
}

/** The answer when both engines worked; null when they contradict each other. */
type Agreement<Value> = (native: Value, library: Value) => Value | null

// Credentials are random, so two good ones are never equal.
const ours: Agreement<JsonText> = (native) => native

const equalVerdicts: Agreement<boolean> = (native, library) => (native === library ? native : null)

const verdict = (engine: Engine, input: PresentationInput): boolean => {
  try {
    return engine.verifyPresentation(input)
  } catch (error) {
    if (error instanceof EngineFailure && error.kind === 'refused') return false
    throw error
  }
}

type Attempt<Value> = { readonly value: Value } | { readonly failure: EngineFailure }

const attempt = <Value>(work: () => Value): Attempt<Value> => {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof EngineFailure) return { failure: error }
    throw error
  }
}

const compare = <Value>(
  native: Engine,
  library: Engine,
  work: (engine: Engine) => Value,
  agree: Agreement<Value>,
): Outcome<Value> => {
  const first = attempt(() => work(native))
  const second = attempt(() => work(library))
  if ('value' in first && 'value' in second) {
    const agreed = agree(first.value, second.value)
    if (agreed !== null) return { value: agreed, engine: 'both' }
    throw new Disagreement()
  }
  if ('failure' in first && first.failure.kind === 'not-understood') {
    if ('failure' in second) throw second.failure
    return { value: second.value, engine: 'library', fallback: 'not-understood' }
  }
  if ('failure' in first && 'failure' in second)
    throw new EngineFailure(first.failure.kind, first.failure.message, 'both')
  throw new Disagreement()
}

/** One engine accepts what the other refuses: the request is refused, and a developer has to look into it. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
  constructor() {
    super('the engines disagree')
  }
}

const checkedInput = (input: PresentationInput): PresentationInput | null => {
  if (isOutOfBounds(input.presentation) || isOutOfBounds(input.request)) return null
  try {
    const presentation: unknown = JSON.parse(input.presentation)
    const request: unknown = JSON.parse(input.request)
    const definitions = parsedDefinitions(input.credentialDefinitions)
    if (strictRefusal({ presentation, request, definitions }) !== null) return null
    // Written again from what was checked, so that no parser can read another presentation from the same text.
    return { ...input, presentation: JSON.stringify(presentation), request: JSON.stringify(request) }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
