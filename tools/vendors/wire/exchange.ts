/** A request as it came in, before anybody believes it. */
export type WireRequest = {
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  readonly query: string
  /** One entry a line of the head, names in lower case. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

export type WireReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export type Json = Readonly<Record<string, unknown>>

/** Several lines of one name are one value, as HTTP says. */
export const headerOf = ({ headers }: WireRequest, name: string): string | undefined => {
  const values = headers.filter(([each]) => each === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(',')
}

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
