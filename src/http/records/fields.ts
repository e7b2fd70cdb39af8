import { Type, type TSchema } from 'typebox'
import { limits } from '../../domain/limits.ts'

/** Pieces of the answers' and bodies' schemas. */
export const textOrNull = Type.Union([Type.String(), Type.Null()])
export const dateTime = Type.String({ format: 'date-time' })
export const dateTimeOrNull = Type.Union([dateTime, Type.Null()])

export const exact = <const Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

export const id = Type.String({ minLength: 1, maxLength: limits.pathIdCharactersMax })
export const externalId = Type.String({ minLength: 1, maxLength: limits.externalIdCharactersMax })

export const isoTime = (ms: number): string => new Date(ms).toISOString()
