import type { Reply } from '../server/server.ts'

type Shown = {
  readonly genesis: string
  readonly status: () => { readonly isReachable: boolean; readonly refreshedMs: number | null }
  readonly now: () => number
}

/** In the words of indy-vdr-proxy. */
export const statusText = ({ status, genesis, now }: Shown): string => {
  const { isReachable, refreshedMs } = status()
  return JSON.stringify({
    status: isReachable ? 'active' : 'init',
    pool_nodes: aliasesIn(genesis),
    last_refresh: refreshedMs === null ? null : Math.max(0, Math.floor((now() - refreshedMs) / 1_000)),
  })
}

type Transaction = { readonly txn?: { readonly data?: { readonly data?: { readonly alias?: unknown } } } }

const aliasesIn = (genesis: string): readonly string[] =>
  genesis
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (JSON.parse(line) as Transaction).txn?.data?.data?.alias)
    .filter((alias) => typeof alias === 'string')

/** Pages of other hosts may read it as well. */
const headersOf = (contentType: string, cacheSeconds: number): Readonly<Record<string, string>> => ({
  'Content-Type': contentType,
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': cacheSeconds === 0 ? 'no-store' : `public, max-age=${cacheSeconds}`,
})

export const jsonReply = (body: string, cacheSeconds: number): Reply => ({
  status: 200,
  headers: headersOf('application/json', cacheSeconds),
  body,
})

export const textReply = (body: string): Reply => ({
  status: 200,
  headers: headersOf('text/plain; charset=utf-8', 300),
  body,
})
