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

/** Several lines of one name are one value, as HTTP says. */
export const headerOf = ({ headers }: WireRequest, name: string): string | undefined => {
  const values = headers.filter(([each]) => each === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(',')
}
