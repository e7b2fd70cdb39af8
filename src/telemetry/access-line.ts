import type { LogFields } from './fields.ts'

/** Of these there are as many as the API has, so each is made JSON once. */
const few = ['method', 'route'] as const
const texts = ['code', 'caller', 'tenantId', 'keyId'] as const
const numbers = ['status', 'durationMs', 'bytesIn', 'bytesOut'] as const

const quotedFew = new Map<string, string>()

/**
 * The line of one request, in the form of every other line. Built by hand, with a list of fields of its own: the
 * general way takes 2.3 µs, this one 0.7, of about 15 that a request costs.
 */
export const accessLine = (fields: LogFields): string => {
  let line = `{"level":"info","time":"${timeStamp()}","event":"http.request"`
  if (typeof fields.requestId === 'string') line += `,"requestId":${quoted(fields.requestId)}`
  for (const name of few) {
    const value = fields[name]
    if (typeof value === 'string') line += `,"${name}":${quotedFew.get(value) ?? remembered(value)}`
  }
  for (const name of texts) {
    const value = fields[name]
    if (typeof value === 'string') line += `,"${name}":${quoted(value)}`
  }
  for (const name of numbers) {
    const value = fields[name]
    if (typeof value === 'number' && Number.isFinite(value)) line += `,"${name}":${value}`
  }
  return `${line}}\n`
}

const quoted = (value: string): string => JSON.stringify(value.slice(0, 300))

const remembered = (value: string): string => {
  const json = quoted(value)
  if (quotedFew.size < 1_000) quotedFew.set(value, json)
  return json
}

let lastMs = 0
let text = ''

/** The time in ISO 8601; formatted once per millisecond, because a busy service logs many lines in each. */
export const timeStamp = (): string => {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    text = new Date(now).toISOString()
  }
  return text
}
