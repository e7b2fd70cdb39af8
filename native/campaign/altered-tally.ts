import { hash } from 'node:crypto'
import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import type { AlteredVerdicts } from './cross.ts'
import { whyHarmless } from './harmless.ts'
import { add } from './members.ts'

/** `stricter`: the library accepted it and ours did not. `left`: ours leaves it to the library, which accepts it. */
export const OUTCOMES = ['tried', 'refusedByBoth', 'acceptedByBoth', 'stricter', 'left'] as const

export type Counts = Readonly<Record<string, number>>

export type AlteredTotals = {
  readonly byKind: Readonly<Record<string, Counts>>
  /** Why what was accepted in the end is right, as often as a reason was needed. */
  readonly reasons: Counts
}

const UNEXPLAINED = 'not explained'

/** What became of inputs that differ from the honest one and from each other. */
export class AlteredTally {
  readonly #seen = new Set<string>()
  readonly #byKind: Record<string, Record<string, number>> = {}
  readonly #reasons: Record<string, number> = {}

  get tried(): number {
    return this.#seen.size
  }

  get totals(): AlteredTotals {
    return { byKind: this.#byKind, reasons: this.#reasons }
  }

  /** False for an input that was tried before. */
  isNew(input: PresentationInput): boolean {
    const before = this.#seen.size
    this.#seen.add(hash('sha256', JSON.stringify(input), 'base64'))
    return this.#seen.size > before
  }

  /** False where an accepted input has no known reason. */
  count(
    kind: string,
    verdicts: AlteredVerdicts,
    honest: PresentationInput,
    input: PresentationInput,
  ): boolean {
    const counts = (this.#byKind[kind] ??= Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])))
    const outcome = outcomeOf(verdicts)
    add(counts, 'tried')
    add(counts, outcome)
    if (outcome !== 'acceptedByBoth' && outcome !== 'left') return true
    const reasons = whyHarmless(honest, input)
    for (const reason of reasons ?? [UNEXPLAINED]) add(this.#reasons, reason)
    return reasons !== null
  }
}

const outcomeOf = ({ library, native, checks }: AlteredVerdicts): (typeof OUTCOMES)[number] => {
  if (library !== 'accepted') return 'refusedByBoth'
  if (checks !== 'accepted') return 'stricter'
  if (native === 'accepted') return 'acceptedByBoth'
  return native === 'not-understood' ? 'left' : 'stricter'
}
