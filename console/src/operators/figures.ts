import type { NodeFigures } from '../api/generated/operations.ts'
import { decimalText, fill, numberText, texts } from '../texts/texts.ts'

const said = texts.health
const MEGABYTE = 1_048_576

const count = (value: number): string => numberText(value)
const milliseconds = (value: number): string => {
  const ms = value * 1_000
  return fill(said.milliseconds, { ms: ms < 10 ? decimalText(ms) : numberText(Math.round(ms)) })
}
const megabytes = (value: number): string =>
  fill(said.megabytes, { mb: numberText(Math.round(value / MEGABYTE)) })
const seconds = (value: number): string => fill(said.seconds, { s: numberText(Math.round(value)) })

type Shown = readonly [name: keyof NodeFigures & keyof typeof said.figures, write: (value: number) => string]

/** What asks for somebody's eye first stands first. */
const SHOWN: readonly Shown[] = [
  ['serverErrors', count],
  ['recordsParked', count],
  ['actorFaults', count],
  ['requestSecondsMedian', milliseconds],
  ['requestSecondsP99', milliseconds],
  ['eventLoopDelaySeconds', milliseconds],
  ['requestsInFlight', count],
  ['requestsAnswered', count],
  ['rateLimited', count],
  ['commandsWaiting', count],
  ['asksWaiting', count],
  ['keysWaiting', count],
  ['signatureSecondsP99', milliseconds],
  ['shardsServed', count],
  ['actorsInMemory', count],
  ['residentMemoryBytes', megabytes],
  ['processorSeconds', seconds],
]

/** The metrics of a node in words; what it did not say is left out. */
export const figuresOf = (
  figures: NodeFigures,
): readonly { readonly name: string; readonly value: string }[] =>
  SHOWN.flatMap(([name, write]) => {
    const value = figures[name]
    return value === null ? [] : [{ name: said.figures[name], value: write(value) }]
  })
