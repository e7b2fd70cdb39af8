import { type TObject, type TSchema, type TUnion, Type } from 'typebox'
import { erasers } from '../domain/exchange.ts'
import { failureCodes } from '../domain/failures.ts'
import { faceCheckStatuses, faceVendorNames } from '../domain/face-check.ts'
import { walletFormats } from '../domain/wallet-formats.ts'
import { type CodecSpec, codec, type EventSpecs, eventCodec } from '../host/codec.ts'

/** The pieces that the stored forms of all kinds share. */
export const text = Type.String()
export const time = Type.Integer({ minimum: 0 })
export const textOrNull = Type.Union([Type.String(), Type.Null()])
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** A text that is kept beside the journal. */
export const bodyReference = Type.Object({ id: text, hash: text })

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>(Type.String({ enum: [...values] }))

export const changeOf = <const Values extends readonly string[]>(states: Values) =>
  Type.Object({
    state: oneOf(states),
    previousState: orNull(oneOf(states)),
    sequence: Type.Integer({ minimum: 1 }),
  })

/** An event `type` with its time and fields. */
export const event = <const Name extends string, Fields extends Record<string, TSchema>>(
  name: Name,
  fields: Fields,
) => Type.Object({ type: Type.Literal(name), atMs: time, ...fields })

/** When an exchange came to be and moved on. */
export const exchangeTimes = {
  createdAtMs: time,
  updatedAtMs: time,
  waitingSinceMs: time,
  erasedAtMs: orNull(time),
  erasedBy: orNull(oneOf(erasers)),
  sequence: Type.Integer(),
  steps: Type.Array(Type.Tuple([text, time])),
}

/** Of an event that ends an exchange or a handshake; those of before there were codes have none. */
export const failure = Type.Optional(oneOf(failureCodes))

/** Of a state in which the message that opens the exchange is on its way. */
export const opening = {
  delivered: Type.Boolean(),
  format: Type.Optional(oneOf(walletFormats)),
  otherAtMs: Type.Optional(orNull(time)),
} as const

/** Beside the events of a kind whose records can be erased. */
export const erasureEvents = {
  RecordErased: { by: oneOf(erasers), tenant: text, externalId: textOrNull, sequence: Type.Integer() },
} as const

/** How an exchange ended, as long as its holder has yet to hear of it. */
export const lastWord = orNull(Type.Object({ problem: textOrNull, nextAtMs: orNull(time) }))

const lastWordEvents = {
  LastWordDelivered: {},
  LastWordFailed: { nextAtMs: orNull(time) },
  LastWordDue: {},
} as const

/** Beside the events of every kind of exchange. */
export const endEvents = { ...lastWordEvents, ...erasureEvents, FaceCheckEnded: {} } as const

const score = orNull(Type.Number())

/** Of an exchange with a face check, in its record and in every event that moves it; the result is personal. */
export const faceChecked = {
  faceCheck: Type.Optional(
    Type.Object({
      id: text,
      vendor: oneOf(faceVendorNames),
      status: oneOf(faceCheckStatuses),
      attempts: Type.Integer(),
      attemptsRemaining: Type.Integer(),
      attemptsMax: Type.Integer(),
      expiresAtMs: time,
      decidedAtMs: orNull(time),
    }),
  ),
  faceResult: Type.Optional(
    orNull(Type.Object({ livenessScore: score, matchScore: score, reason: textOrNull })),
  ),
} as const

/** Of an exchange that has heard from its holder. */
export const checkToTell = Type.Optional(textOrNull)

/** Of an exchange that is over. */
export const checkToEnd = Type.Optional(Type.Boolean())

type FieldMap = Readonly<Record<string, TSchema>>
type FieldOf<Many> = Many extends unknown ? keyof Many & string : never

const noRecord = Type.Object({ status: Type.Literal('none') })

/**
 * How a kind of record stands in the journal: the fields of each event beside its time, and those of the record, one
 * entry for each form that it may have. A field that is `personal` is sealed in whatever it stands in.
 */
export const storedRecord = <
  const Events extends Readonly<Record<string, FieldMap>>,
  const Records extends readonly FieldMap[],
>({
  events,
  records,
  personal = [],
  later = {},
}: {
  readonly events: Events
  readonly records: Records
  readonly personal?: readonly FieldOf<Records[number]>[]
  /** Events that are not in version 1 any more. */
  readonly later?: {
    readonly [Name in keyof Events]?: Pick<CodecSpec<TSchema>, 'version' | 'upcasts'>
  }
}) => {
  type Schemas = { [Name in keyof Events & string]: ReturnType<typeof event<Name, Events[Name]>> }
  type Record = { -readonly [Index in keyof Records]: TObject<Records[Index]> }
  const specs = Object.entries<FieldMap>(events).map(([name, fields]) => {
    const sealed = personal.filter((field) => field in fields)
    return [name, { version: 1, schema: event(name, fields), personal: sealed, ...later[name] }]
  })
  const record = Type.Union([noRecord, ...records.map((fields) => Type.Object(fields))])
  return {
    events: eventCodec(Object.fromEntries(specs) as EventSpecs<Schemas>),
    snapshots: codec({
      version: 1,
      schema: record as TUnion<[typeof noRecord, ...Record]>,
      personal: personal as never[],
    }),
  }
}
