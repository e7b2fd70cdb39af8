import { type Problem, problem } from '../route/problem.ts'
import type { RequestHead } from '../server/server.ts'

export type OriginCheck = (head: RequestHead) => Problem<'forbidden'> | null

const READING = new Set(['GET', 'HEAD'])

/**
 * Protects sessions from requests that other sites make a browser send, in addition to `SameSite=Strict`. Browsers say
 * where a request comes from, in `Sec-Fetch-Site` or in `Origin`, and no page can change that; a request that changes
 * something and has neither header did not come from our console.
 */
export const ownOriginOnly =
  (publicUrl: () => string): OriginCheck =>
  ({ method, headers }) => {
    const site = headers.get('sec-fetch-site')
    const origin = headers.get('origin')
    const reads = READING.has(method)
    if (site !== undefined && site !== 'same-origin' && !(reads && site === 'none')) return elsewhere()
    if (origin !== undefined && origin !== new URL(publicUrl()).origin) return elsewhere()
    return reads || site !== undefined || origin !== undefined ? null : elsewhere()
  }

const elsewhere = () =>
  problem(
    'forbidden',
    'This is for the console: the request must come from the address of the service itself.',
  )
