import { isIP } from 'node:net'

/** Why a value is invalid, as the end of a sentence that begins with the variable's name. */
export class InvalidValue {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

export type Kind = 'text' | 'integer' | 'choice' | 'flag' | 'list' | 'url' | 'file' | 'folder'

export type Setting<Value> = {
  readonly name: string
  readonly kind: Kind
  readonly default: Value
  readonly doc: string
  /** The range or the choices, which the documentation shows beside the kind. */
  readonly allowed: string
  readonly parse: (text: string) => Value | InvalidValue
}

type Base<Value> = { readonly default: Value; readonly doc: string }

const UNITS = [
  ['_PER_MINUTE', 'per minute'],
  ['_PER_DAY', 'per day'],
  ['_MS', 'milliseconds'],
  ['_SECONDS', 'seconds'],
  ['_MINUTES', 'minutes'],
  ['_HOURS', 'hours'],
  ['_DAYS', 'days'],
  ['_BYTES_MAX', 'bytes'],
  ['_BYTES', 'bytes'],
  ['_PERCENT', 'percent'],
] as const

/** The unit of a setting, which stands last in its name. */
export const unitOf = (name: string): string => UNITS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? ''

const setting = <Value>(
  name: string,
  kind: Kind,
  base: Base<Value>,
  parse: (text: string) => Value | InvalidValue,
  allowed = '',
): Setting<Value> => ({ name, kind, default: base.default, doc: base.doc, allowed, parse })

export const text = (name: string, base: Base<string>): Setting<string> =>
  setting(name, 'text', base, (it) => it)

export const integer = (
  name: string,
  base: Base<number> & { readonly min: number; readonly max: number },
): Setting<number> =>
  setting(
    name,
    'integer',
    base,
    (it) => {
      const value = Number(it)
      const fits = /^-?\d{1,15}$/.test(it) && value >= base.min && value <= base.max
      return fits ? value : new InvalidValue(`must be a whole number from ${base.min} to ${base.max}`)
    },
    `${base.min}–${base.max}`,
  )

export const choice = <const Choices extends readonly string[]>(
  name: string,
  base: Base<Choices[number]> & { readonly choices: Choices },
): Setting<Choices[number]> =>
  setting<Choices[number]>(
    name,
    'choice',
    base,
    (it) =>
      base.choices.find((known) => known === it) ??
      new InvalidValue(`must be one of ${base.choices.join(', ')}`),
    base.choices.join(' | '),
  )

export const flag = (name: string, base: Base<boolean>): Setting<boolean> =>
  setting(
    name,
    'flag',
    base,
    (it) => (it === 'true' || it === 'false' ? it === 'true' : new InvalidValue('must be true or false')),
    'true | false',
  )

/** A comma-separated list. Empty entries are refused, because they come from a broken template. */
export const list = (name: string, base: Base<readonly string[]>): Setting<readonly string[]> =>
  setting(name, 'list', base, (it) => {
    const items = itemsOf(it)
    return items.includes('')
      ? new InvalidValue('must be a comma-separated list without empty entries')
      : items
  })

/** A list of addresses and networks, such as 192.0.2.1 or 10.0.0.0/8. */
export const networks = (name: string, base: Base<readonly string[]>): Setting<readonly string[]> =>
  setting(name, 'list', base, (it) => {
    const items = itemsOf(it)
    return items.every(isNetwork)
      ? items
      : new InvalidValue('must be a comma-separated list of addresses and networks')
  })

export type Copies = { readonly datacenter: string; readonly copies: number }

const COPIES_MAX = 9

/** A list of datacenters with the number of copies that each keeps, such as east:3,west:2. */
export const copies = (name: string, base: Base<readonly Copies[]>): Setting<readonly Copies[]> =>
  setting(name, 'list', base, (it) => {
    const read = itemsOf(it).map((item) => /^([\w.-]+):([1-9])$/.exec(item))
    const found = read.map((parts) => ({ datacenter: parts?.[1] ?? '', copies: Number(parts?.[2]) }))
    return read.includes(null) || new Set(found.map(({ datacenter }) => datacenter)).size < found.length
      ? new InvalidValue(
          `must be a comma-separated list of different datacenters with 1 to ${COPIES_MAX} copies, as east:3`,
        )
      : found
  })

/** A list of ports. */
export const ports = (name: string, base: Base<readonly number[]>): Setting<readonly number[]> =>
  setting(name, 'list', base, (it) => {
    const items = itemsOf(it).map((item) => (/^\d{1,5}$/.test(item) ? Number(item) : 0))
    return items.every((port) => port >= 1 && port <= 65_535)
      ? items
      : new InvalidValue('must be a comma-separated list of ports, as 443,8443')
  })

const itemsOf = (written: string): readonly string[] => written.split(',').map((item) => item.trim())

const isNetwork = (written: string): boolean => {
  const [address = '', prefix = '0', ...more] = written.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  return isIP(address) !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

export const url = (name: string, base: Base<string>): Setting<string> =>
  setting(name, 'url', base, (it) => {
    const parsed = URL.canParse(it) ? new URL(it) : null
    const fits =
      parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && !parsed.search && !parsed.hash
    return fits
      ? it.replace(/\/+$/, '')
      : new InvalidValue('must be an http or https address without query or fragment')
  })

/** A file must exist and be readable when it is named. */
export const file = (name: string, base: Base<string>): Setting<string> =>
  setting(name, 'file', base, (it) => it)

export const folder = (name: string, base: Base<string>): Setting<string> =>
  setting(name, 'folder', base, (it) => it)
