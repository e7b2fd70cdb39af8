import { createHash } from 'node:crypto'
import { ExactNumber } from '../exact-json.ts'

const ATTRIB = '100'
const UNSIGNED = new Set(['signature', 'signatures', 'fees'])

/** The canonical text of a request that Indy clients sign: `key:value|key:value`, keys sorted at every level. */
export const signingText = (request: Readonly<Record<string, unknown>>): string => {
  const operation = request['operation']
  const isAttrib = isRecord(operation) && operation['type'] === ATTRIB
  const top = Object.fromEntries(Object.entries(request).filter(([key]) => !UNSIGNED.has(key)))
  return serialize(isAttrib ? { ...top, operation: hideAttrib(operation) } : top)
}

const hideAttrib = (operation: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(operation).map(([key, value]) =>
      (key === 'raw' || key === 'hash' || key === 'enc') && typeof value === 'string'
        ? [key, createHash('sha256').update(value).digest('hex')]
        : [key, value],
    ),
  )

const serialize = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return value.map(serialize).join(',')
  if (isRecord(value)) {
    return Object.keys(value)
      .sort()
      .map((key) => `${key}:${serialize(value[key])}`)
      .join('|')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
