/** Headers that may be sent once: two of them are a mistake, or an attempt to make two servers disagree. */
const SINGLE = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'content-type',
  'content-encoding',
  'authorization',
  'idempotency-key',
])

/** Collects the headers of one request, and notices what makes them untrustworthy. */
export class HeaderReader {
  readonly headers = new Map<string, string>()
  /** Why the request is refused, as a sentence for the caller without its full stop; null while nothing is wrong. */
  objection: string | null = null

  /** `name` in lower case. */
  add(name: string, value: string): void {
    const before = this.headers.get(name)
    if (name === '') this.objection = 'a header has no name'
    else if (before === undefined) this.headers.set(name, value)
    else if (SINGLE.has(name)) this.objection = `the header ${name} must be sent once only`
    else this.headers.set(name, `${before}, ${value}`)
  }

  /**
   * To be called after the last header. A request is refused if two servers could disagree about where its body ends.
   */
  check(): void {
    const length = this.headers.get('content-length')
    const coding = this.headers.get('transfer-encoding')
    if (length !== undefined && !/^\d{1,15}$/.test(length)) this.objection = 'Content-Length must be a number'
    else if (coding !== undefined && coding.toLowerCase() !== 'chunked')
      this.objection = 'Transfer-Encoding must be chunked or absent'
    else if (coding !== undefined && length !== undefined)
      this.objection = 'Content-Length and Transfer-Encoding must not be sent together'
    else if (!this.headers.get('host')) this.objection = 'the header host is required'
  }

  hasBody(): boolean {
    return this.headers.has('transfer-encoding') || Number(this.headers.get('content-length') ?? 0) > 0
  }

  /** The announced length, or null for a chunked body. */
  bodyBytes(): number | null {
    return this.headers.has('transfer-encoding') ? null : Number(this.headers.get('content-length') ?? 0)
  }
}
