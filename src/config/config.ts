import { accessSync, constants, statSync } from 'node:fs'
import { contradictions } from './contradictions.ts'
import { allSettings, type Config, foreignNames, PREFIX } from './env.ts'
import { nearest } from './nearest.ts'
import { InvalidValue, type Setting } from './setting.ts'

export type { Config }

export type Environment = Readonly<Record<string, string | undefined>>

/** All mistakes in the environment, one line each. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

export const loadConfig = (environment: Environment): Config => {
  const mistakes = unknownNames(environment)
  const groups: Record<string, Record<string, unknown>> = {}
  for (const { group, key, setting } of allSettings()) {
    const value = read(setting, environment[setting.name])
    if (value instanceof InvalidValue) mistakes.push(`${setting.name} ${value.reason}`)
    groups[group] = { ...groups[group], [key]: value instanceof InvalidValue ? setting.default : value }
  }
  const config = freeze(groups) as Config
  // Contradictions between values that could not be read would only be noise.
  if (mistakes.length === 0) mistakes.push(...contradictions(config))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return config
}

/** An empty value counts as none, because compose files and .env templates pass unset variables that way. */
const read = (setting: Setting<unknown>, text: string | undefined): unknown => {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return setting.default
  if (setting.kind === 'file') return readableFile(trimmed)
  const value = setting.parse(trimmed)
  return value instanceof InvalidValue ? new InvalidValue(`${value.reason}, not ${quoted(trimmed)}`) : value
}

/** Shortened, because a secret pasted into the wrong variable must not appear in full on the terminal or in a log. */
const quoted = (value: string): string => JSON.stringify(value.length > 24 ? `${value.slice(0, 12)}…` : value)

const readableFile = (path: string): string | InvalidValue => {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile() ? path : new InvalidValue(`names ${path}, which is not a file`)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return new InvalidValue(
      missing ? `names the file ${path}, which does not exist` : `names ${path}, which cannot be read`,
    )
  }
}

const unknownNames = (environment: Environment): string[] => {
  const known = [...allSettings().map(({ setting }) => setting.name), ...Object.keys(foreignNames)]
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => {
      const near = nearest(name, known.map(prefixed))
      const meant = near === null ? null : (known.find((it) => prefixed(it) === near) ?? near)
      return `${name} is not a known setting${meant === null ? '' : `; did you mean ${meant}?`}`
    })
}

/** A plain name such as PORT is most often mistyped by giving it the prefix. */
const prefixed = (name: string): string => (name.startsWith(PREFIX) ? name : `${PREFIX}${name}`)

const freeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const inner of Object.values(value)) freeze(inner)
    Object.freeze(value)
  }
  return value
}
