import { STATUS_CODES } from 'node:http'

export const reasonPhrase = (status: number): string => STATUS_CODES[status] ?? 'Unknown'

/** Answers with status 204 or 304 have neither a body nor a length. */
export const hasBody = (status: number): boolean => status !== 204 && status !== 304

const lines = new Map<number, string>()

/** `404 Not Found`, made once per status. */
export const statusLine = (status: number): string => {
  const known = lines.get(status)
  if (known !== undefined) return known
  const line = `${status} ${reasonPhrase(status)}`
  lines.set(status, line)
  return line
}
