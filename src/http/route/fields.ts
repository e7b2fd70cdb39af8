import { Type, type TSchema } from 'typebox'
import { limits } from '../../domain/limits.ts'

/** What no text of a request may hold: NUL, and half a character (one part of a surrogate pair). */
export const MALFORMED = String.raw`\u0000\ud800-\udfff`
/** For the description; the server looks for these in every text by itself. */
export const WELL_FORMED = `^[^${MALFORMED}]*$`
/** At least one character that is not white space. */
export const NOT_BLANK = String.raw`^[^${MALFORMED}]*[^\s${MALFORMED}][^${MALFORMED}]*$`

// Pieces of the schemas of bodies and answers.
const dateTime = Type.String({ format: 'date-time' })

/** A text field with its meaning; `example` is a value that it may have. */
export const words = (description: string, example?: string) =>
  Type.String({ description, ...(example !== undefined && { examples: [example] }) })
export const wordsOrNull = (description: string, example?: string | null) =>
  Type.Union([Type.String(), Type.Null()], {
    description,
    ...(example !== undefined && { examples: [example] }),
  })
export const moment = (description: string) => Type.String({ format: 'date-time', description })
export const momentOrNull = (description: string) =>
  Type.Union([dateTime, Type.Null()], { description, examples: [null] })
export const recordTimes = {
  createdAt: moment('When the record came to be.'),
  updatedAt: moment('When the record changed last; of two views of a record the later one is newer.'),
}

/** A record with a name: the description shows each name once, and refers to it elsewhere. */
export const recordOf = <const Properties extends Record<string, TSchema>>(
  title: string,
  properties: Properties,
) => Type.Object(properties, { additionalProperties: false, title })

export const exact = <const Properties extends Record<string, TSchema>>(
  properties: Properties,
  description?: string,
) =>
  Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) })

export const id = Type.String({ minLength: 1, maxLength: limits.pathIdCharactersMax })
/** A text that is sent: not empty, and bounded. */
export const sentText = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })
/** One of a few words, as the schema and the type know it. */
export const choice = <const Values extends readonly string[]>(
  values: Values,
  description: string,
  example?: Values[number],
) =>
  Type.Unsafe<Values[number]>({
    type: 'string',
    enum: values,
    description,
    ...(example !== undefined && { examples: [example] }),
  })
export const idText = (description: string, example: string) =>
  sentText(limits.pathIdCharactersMax, description, example)
export const organisationId = idText('The organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f')
export const externalId = Type.String({
  minLength: 1,
  maxLength: limits.externalIdCharactersMax,
  description: 'Your own name for it, shown on the record and in every event. Nothing personal.',
  examples: ['order-1042'],
})

const DAY_MS = 86_400_000
let knownDay = Number.NaN
let knownPrefix = ''

/** The same as `toISOString` at a sixth of its cost: nearly all times of an answer lie in the same day. */
export const isoTime = (ms: number): string => {
  const day = Math.floor(ms / DAY_MS)
  if (day !== knownDay) {
    knownPrefix = new Date(ms).toISOString().slice(0, -'HH:MM:SS.mmmZ'.length)
    knownDay = day
  }
  const inDay = ms - day * DAY_MS
  const [hour, minute] = [Math.floor(inDay / 3_600_000), Math.floor(inDay / 60_000) % 60]
  const [second, rest] = [Math.floor(inDay / 1_000) % 60, Math.floor(inDay) % 1_000]
  return `${knownPrefix}${two(hour)}:${two(minute)}:${two(second)}.${rest < 100 ? '0' : ''}${two(rest)}Z`
}

const two = (number: number): string => (number < 10 ? `0${number}` : String(number))
