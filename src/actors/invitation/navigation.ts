import type { RequestHead } from '../../http/server/server.ts'

/** The headers that an answer depends on which asks `isNavigation`. */
export const NAVIGATION_HEADERS = 'Accept, Sec-Fetch-Mode'

/**
 * Whether a person opens an address in a browser, and wants a page there. Browsers say that they navigate, and what
 * calls `fetch` says that it does not, in a browser or in Node. Those that say nothing (older ones, and all of them over
 * plain http) accept HTML first and XHTML too, which is in no HTTP client's defaults: Java's begin with HTML alone.
 */
export const isNavigation = ({ headers }: Pick<RequestHead, 'headers'>): boolean => {
  const mode = headers.get('sec-fetch-mode')
  if (mode !== undefined) return mode === 'navigate'
  const accepted = headers.get('accept')?.toLowerCase().split(',') ?? []
  const types = accepted.map((each) => each.split(';')[0]?.trim())
  return types[0] === 'text/html' && types.includes('application/xhtml+xml')
}
