/** What a node answered, if it did. */
export type Looked = { readonly status: number; readonly text: string } | null

/** Who cannot know says so. */
const UNAVAILABLE = 503
const UNAUTHORIZED = 401
const SHOWN = new Set([200, 202])
/** A repeated request may meet another one that is under way. */
const PASSING = new Set([409, 429, UNAVAILABLE])

const said = ({ status, text }: NonNullable<Looked>): string => `${status}: ${text.slice(0, 300)}`

/** Null where a key that was revoked opened nothing. */
export const whatIsWrongWithKey = (looked: Looked, key: string): string | null =>
  looked === null || [UNAUTHORIZED, UNAVAILABLE].includes(looked.status)
    ? null
    : `${key} was revoked, and was answered ${said(looked)}`

/** Null where a record that was erased shows nothing of what was in it. */
export const whatIsWrongWithRecord = (looked: Looked, name: string, record: string): string | null => {
  if (looked === null || (PASSING.has(looked.status) && !looked.text.includes(name))) return null
  const isEmpty = SHOWN.has(looked.status) && /"attributes":null/.test(looked.text)
  return isEmpty && !looked.text.includes(name)
    ? null
    : `${record} was erased, and was answered ${said(looked)}`
}
