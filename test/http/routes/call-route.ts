import type { Caller } from '../../../src/http/callers/caller.ts'
import { compileRoute } from '../../../src/http/route/compiled-route.ts'
import type { Route } from '../../../src/http/route/route.ts'
import { createRouter } from '../../../src/http/front-door/router.ts'
import type { Api } from '../../../src/actors/api.ts'
import { listing } from '../../compose/service-on-memory.ts'

const caller: Caller = { kind: 'api_key', tenantId: 't1', keyId: 'k1' }

export type Called = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: Record<string, unknown>
}

/** One request through routing, validation and handler, as a tenant's backend sends it. */
export const callRoute = async (
  routes: readonly Route[],
  method: string,
  target: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<Called> => {
  const [path = '', query = ''] = target.split('?')
  const match = createRouter(routes)(method, path)
  if (match.is !== 'route') throw new Error(`no route for ${method} ${path}`)
  const head = {
    id: 'r1',
    method,
    path,
    query,
    headers: new Map([['content-type', contentType]]),
    remoteAddress: '127.0.0.1',
  }
  const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
  const reply = await compileRoute(match.route).run({ head, caller, params: match.params, body: bytes })
  const text = Buffer.from(reply.body).toString('utf8')
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    json: text.startsWith('{') ? (JSON.parse(text) as Called['json']) : {},
  }
}

const row = { tenant: 't1', createdAtMs: 1, updatedAtMs: 1, state: 's', filters: {}, externalId: null }

/** One record of each kind under the id it is asked by; what is ordered is remembered and refused or not as told. */
export const fakeApi = (record: object | null, outcome: object = {}) => {
  const ordered: unknown[] = []
  const listed: unknown[] = []
  const take = (order: unknown) => {
    ordered.push(order)
    return Promise.resolve(outcome as never)
  }
  const api: Api = {
    directory: listing([{ ...row, kind: 'connection', id: 'x1', searchText: '' }], listed),
    namespace: 'sandbox',
    read: () => Promise.resolve(record as never),
    newId: { of: (kind) => `${kind}_new`, beside: (kind) => `${kind}_beside` },
    readInvitation: () => Promise.resolve(null),
    createInvitation: take,
    now: () => 0,
    offerCredential: take,
    requestProof: take,
    issueWalletToken: take,
    revokeWallet: take,
    createProofTemplate: take,
    editProofTemplate: take,
    archiveProofTemplate: take,
    readRetention: take,
    setRetention: take,
    events: { listen: take, bodyOf: take, unreadable: () => undefined, mayListen: take },
    webhook: { read: take, set: take, remove: take, rotate: take },
  }
  return { api, ordered, listed }
}

export const exchangeFacts = {
  tenant: 't1',
  connectionId: 'c1',
  invitationId: 'i1',
  externalId: null,
  threadId: 'th',
  createdAtMs: 0,
  updatedAtMs: 1_000,
  waitingSinceMs: 0,
  sequence: 1,
}
