import { parseArgs } from 'node:util'

/** `quick` is the default under `--quick`. */
export type OptionSpec =
  | { readonly type: 'number'; readonly default: number; readonly quick?: number; readonly about: string }
  | { readonly type: 'boolean'; readonly default: boolean; readonly quick?: boolean; readonly about: string }
  | {
      readonly type: 'string'
      readonly default: string
      readonly quick?: string
      readonly choices?: readonly string[]
      readonly about: string
    }

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

type OptionValue<Spec extends OptionSpec> = Spec extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { readonly type: 'number' }
    ? number
    : Spec extends { readonly type: 'boolean' }
      ? boolean
      : string

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: OptionValue<Specs[Name]>
}

export type ParsedOptions = {
  readonly quick: boolean
  readonly json: boolean
  readonly help: boolean
  readonly values: Readonly<Record<string, number | string | boolean>>
}

/** A mistake of the person at the command line: shown without a stack. */
export class UsageError extends Error {}

export function parseOptions(specs: OptionSpecs, args: readonly string[]): ParsedOptions {
  const { quick, json, help, ...given } = parseFlags(specs, args)
  const values: Record<string, number | string | boolean> = {}
  for (const [name, spec] of Object.entries(specs)) {
    const text = given[name]
    const fallback = quick === true && spec.quick !== undefined ? spec.quick : spec.default
    values[name] = text === undefined ? fallback : readValue(name, spec, text)
  }
  return { quick: quick === true, json: json === true, help: help === true, values }
}

function parseFlags(
  specs: OptionSpecs,
  args: readonly string[],
): Record<string, string | boolean | undefined> {
  const flags: Record<string, { type: 'string' | 'boolean' }> = {}
  for (const [name, spec] of Object.entries(specs)) {
    flags[name] = { type: spec.type === 'boolean' ? 'boolean' : 'string' }
  }
  for (const name of ['quick', 'json', 'help']) {
    if (flags[name])
      throw new Error(`--${name} belongs to the harness and cannot be an option of a benchmark`)
    flags[name] = { type: 'boolean' }
  }
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowNegative: true }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function readValue(name: string, spec: OptionSpec, text: string | boolean): number | string | boolean {
  if (typeof text === 'boolean') return text
  if (spec.type === 'number') {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value))
      throw new UsageError(`--${name} must be a number, not "${text}"`)
    return value
  }
  if (spec.type === 'string' && spec.choices && !spec.choices.includes(text)) {
    throw new UsageError(`--${name} must be one of ${spec.choices.join(', ')}, not "${text}"`)
  }
  return text
}

/** A table row for each option, as the help shows it. */
export const optionRows = (specs: OptionSpecs): Readonly<Record<string, string>>[] =>
  Object.entries(specs).map(([option, spec]) => ({
    option: `--${option}`,
    default: String(spec.default),
    quick: String(spec.quick ?? spec.default),
    about: spec.type === 'string' && spec.choices ? `${spec.about} (${spec.choices.join(', ')})` : spec.about,
  }))
