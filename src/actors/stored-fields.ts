import type { TSchema } from 'typebox'
import { Type } from 'typebox'

/** The pieces that the stored forms of all exchanges share. */
export const text = Type.String()
export const time = Type.Integer({ minimum: 0 })
export const textOrNull = Type.Union([Type.String(), Type.Null()])
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

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
