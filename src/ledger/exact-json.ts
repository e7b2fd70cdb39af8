/**
 * A request id of indy-vdr is a count of nanoseconds beyond 2^53 and must be echoed digit for digit, so a number that
 * JavaScript cannot hold is kept as its source text.
 */
export class ExactNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.digits)
  }
  toString(): string {
    return this.digits
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

export const parseExact = (text: string): unknown => {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === 'number' &&
    source !== undefined &&
    /^-?\d+$/.test(source) &&
    !Number.isSafeInteger(value)
      ? new ExactNumber(source)
      : value
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown)
}
