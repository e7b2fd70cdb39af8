// Readers of JSON that other sides have written.

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null for a text that is not a JSON object. */
export const jsonOf = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : null
  } catch {
    return null
  }
}

/** Empty for what is not a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
