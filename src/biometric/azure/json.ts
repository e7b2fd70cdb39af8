export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null for bytes that are not a JSON object. */
export const jsonOf = (bytes: Buffer): Json | null => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isJson(value) ? value : null
  } catch {
    return null
  }
}
