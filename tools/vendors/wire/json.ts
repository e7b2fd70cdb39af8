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

/** The first member that is not in the list, so that a misspelt one is not taken for one left out. */
export const strangerIn = (input: Json, known: readonly string[]): string | undefined =>
  Object.keys(input).find((name) => !known.includes(name))
