import { type Problem, problem } from '../route/problem.ts'
import type { RequestHead } from '../server/server.ts'

export type OriginCheck = (head: RequestHead) => Problem<'forbidden'> | null

const READING = new Set(['GET', 'HEAD'])

/**
 * The defence against requests that other sites make a browser send, beside `SameSite=Strict`: browsers say where a
 * request comes from, and no page can make them lie. `Sec-Fetch-Site` where there is one, `Origin` else; a request
 * that changes something and has neither did not come from our console.
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
