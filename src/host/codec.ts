import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Codec, FieldSeal } from './definition.ts'
import { lengthened } from './state/short-text.ts'

export type Data = Record<string, unknown>

/** Takes the values of personal fields out: null stands in their place, and what is null already stays clear. */
export const split = (value: Data, personal: readonly string[]): { clear: Data; secret: Data | null } => {
  let clear = value
  let secret: Data | null = null
  for (const field of personal) {
    const content = value[field]
    if (content === null || content === undefined) continue
    if (secret === null) {
      secret = {}
      clear = { ...value }
    }
    secret[field] = content
    clear[field] = null
  }
  return { clear, secret }
}

/** Why a field can't be personal, or null. A field of a union must be in one of its members at least. */
export const personalFieldProblem = (schema: TSchema, field: string): string | null => {
  const found = propertySchemas(schema, field)
  if (found.length === 0) return `there is no field ${field} that could be personal`
  return found.every((property) => Compile(property).Check(null))
    ? null
    : `the personal field ${field} must admit null, which is what erasure leaves of it`
}

type ObjectOrUnion = {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly anyOf?: readonly TSchema[]
}

const propertySchemas = (schema: TSchema, field: string): TSchema[] => {
  const { properties, anyOf } = schema as ObjectOrUnion
  if (anyOf !== undefined) return anyOf.flatMap((member) => propertySchemas(member, field))
  const property = properties?.[field]
  return property === undefined ? [] : [property]
}

/** Brings the data of one version to the next. Personal fields may be null in it: the record may be erased. */
export type Upcast = (old: Readonly<Record<string, unknown>>) => Record<string, unknown>

type KeysOf<Value> = Value extends unknown ? keyof Value & string : never

export type CodecSpec<Schema extends TSchema> = {
  readonly version: number
  readonly schema: Schema
  /** Top-level fields that are sealed together; each must admit null, because null is what erasure leaves. */
  readonly personal?: readonly KeysOf<Static<Schema>>[]
  /** Entry n upcasts version n to n + 1; one for every version before the current. */
  readonly upcasts?: Readonly<Record<number, Upcast>>
}

/** What was to be written or was read is not what the schema says. Names the place, never the value. */
export class CodecError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CodecError'
  }
}

type Envelope = { readonly v: number; readonly d: Data; readonly s?: string }

/**
 * Stored text: `{"v":1,"d":{…},"s":"…"}`. Personal fields stand as null in `d`, their values are sealed in `s`; the
 * text before `s` is the seal's context, so a sealed part opens only beside the very data it was written with.
 */
export const codec = <Schema extends TSchema>(spec: CodecSpec<Schema>): Codec<Stored<Static<Schema>>> => {
  const { read, write } = compile('value', spec)
  return {
    encode: (value, seal) => write(value, seal),
    decode: (text, seal) => read(parse(text), text, seal) as Stored<Static<Schema>>,
    needsSeal: isPersonal(spec),
  }
}

const isPersonal = ({ personal = [] }: { readonly personal?: readonly string[] }): boolean =>
  personal.length > 0

/** Stored values are read-only all the way down, as those of the rules are. */
type Stored<Value> = Value extends object ? { readonly [Key in keyof Value]: Stored<Value[Key]> } : Value

type SpecMap = Readonly<Record<string, TSchema>>
export type EventSpecs<Schemas extends SpecMap> = {
  readonly [Type in keyof Schemas]: CodecSpec<Schemas[Type]>
}

/** One spec per `type` of event, so that reading and checking costs the same however many types there are. */
export const eventCodec = <const Schemas extends SpecMap>(
  specs: EventSpecs<Schemas>,
): Codec<{ [Type in keyof Schemas]: Stored<Static<Schemas[Type]>> }[keyof Schemas]> => {
  const byType = new Map(
    Object.entries(specs).map(([type, spec]) => [type, compile(type, spec as CodecSpec<TSchema>)]),
  )
  const find = (type: unknown) => {
    const found = byType.get(String(type))
    if (found === undefined) throw new CodecError(`there is no event type ${String(type).slice(0, 60)}`)
    return found
  }
  return {
    encode: (value, seal) => find((value as Data)['type']).write(value, seal),
    decode: (text, seal) => {
      const envelope = parse(text)
      return find(envelope.d['type']).read(envelope, text, seal) as never
    },
    needsSeal: Object.values<CodecSpec<TSchema>>(specs).some(isPersonal),
  }
}

/** For inspection: the data with its personal fields null, and whether there is a sealed part. */
export const clearPart = (text: string): { version: number; data: unknown; sealed: boolean } => {
  const { v, d, s } = parse(lengthened(text))
  return { version: v, data: d, sealed: s !== undefined }
}

const compile = <Schema extends TSchema>(name: string, spec: CodecSpec<Schema>) => {
  const { version, schema, upcasts = {} } = spec
  const personal: readonly string[] = spec.personal ?? []
  for (let old = 1; old < version; old++) {
    if (upcasts[old] === undefined) throw new CodecError(`${name} has no upcast from version ${old}`)
  }
  for (const field of personal) {
    const problem = personalFieldProblem(schema, field)
    if (problem !== null) throw new CodecError(`${name}: ${problem}`)
  }
  const validator = Compile(schema)
  const check = (value: unknown): void => {
    if (validator.Check(value)) return
    const [first] = validator.Errors(value)
    throw new CodecError(
      `${name} v${version} is invalid at ${first?.instancePath || '/'}: ${first?.message ?? ''}`,
    )
  }

  const write = (value: Data, seal: FieldSeal | null): string => {
    check(value)
    const { clear, secret } = split(value, personal)
    const head = `{"v":${version},"d":${JSON.stringify(clear)}`
    if (secret === null) return `${head}}`
    if (seal === null) throw new CodecError(`${name} has personal fields, but its actor has no data key`)
    return `${head},"s":"${seal.seal(JSON.stringify(secret), head)}"}`
  }

  const read = (envelope: Envelope, text: string, seal: FieldSeal | null): unknown => {
    if (envelope.v > version) throw new CodecError(`${name} v${envelope.v} was written by a newer release`)
    let data = envelope.s === undefined ? envelope.d : unseal(name, envelope.d, envelope.s, text, seal)
    for (let old = envelope.v; old < version; old++) data = upcasts[old]?.(data) ?? data
    check(data)
    return data
  }
  return { read, write }
}

const SEALED_TAIL_LENGTH = ',"s":""}'.length

const unseal = (name: string, clear: Data, sealed: string, text: string, seal: FieldSeal | null): Data => {
  if (seal === null) throw new CodecError(`${name} has a sealed part, but its actor has no data key`)
  const head = text.slice(0, text.length - sealed.length - SEALED_TAIL_LENGTH)
  const plain = seal.open(sealed, head)
  return plain === null ? clear : { ...clear, ...(JSON.parse(plain) as Data) }
}

const parse = (text: string): Envelope => {
  let envelope: unknown
  try {
    envelope = JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    throw new CodecError('stored text is not JSON')
  }
  if (!isEnvelope(envelope)) throw new CodecError('stored text is not an event or a snapshot')
  return envelope
}

const isEnvelope = (value: unknown): value is Envelope => {
  if (typeof value !== 'object' || value === null) return false
  const { v, d, s } = value as Record<string, unknown>
  return (
    Number.isInteger(v) && typeof d === 'object' && d !== null && (s === undefined || typeof s === 'string')
  )
}
