import type { RequestHead } from '../../../src/http/server/server.ts'

/** The head of a request as a server hands it over. */
export const requestHead = (
  headers: Readonly<Record<string, string>> = {},
  more: Partial<RequestHead> = {},
): RequestHead => ({
  id: 'req_1',
  method: 'GET',
  path: '/',
  query: '',
  headers: new Map(Object.entries(headers)),
  remoteAddress: '127.0.0.1',
  ...more,
})
