import type { Eventually } from '../../domain/eventually.ts'
import { LedgerBusy, type LedgerQuestion, LedgerRefused } from '../../ports/ledger.ts'
import { LocalRateWindows } from '../../timing/rate-windows.ts'
import { type Problem, problem, retryAfter } from '../route/problem.ts'
import { defineRawRoute, type RawRequest, type Route } from '../route/route.ts'
import { networkOf } from '../server/address.ts'
import type { ClientAddress } from '../server/client-address.ts'
import type { Reply } from '../server/server.ts'
import { jsonReply, statusText, textReply } from './vdr-proxy-replies.ts'

export const VDR_PROXY = '/ledger/vdr'

type Answer = { readonly text: string; readonly cacheSeconds: number }

export type VdrProxyParts = {
  /** The answer of the ledger as its nodes word it, and for how long it may be kept. */
  readonly answer: (question: LedgerQuestion) => Promise<Answer>
  /** What a DID or a DID URL stands for; null where the ledger has nothing of this name. */
  readonly resolve: (didUrl: string) => Promise<Answer | null>
  readonly genesis: string
  readonly status: () => { readonly isReachable: boolean; readonly refreshedMs: number | null }
  readonly clientAddress: ClientAddress
  readonly readsPerMinute: number
  readonly monotonicMs: () => number
  readonly now: () => number
}

/** 4 MB at most. */
const TIMES_MAX = 524_288
const WINDOW_MS = 60_000
const BUSY_RETRY_MS = 1_000
const AWAY_RETRY_MS = 10_000
/** The longest name of an object on the ledger. */
const PARAM_CHARACTERS_MAX = 1_024
/** By their numbers. */
const LEDGERS = ['POOL', 'DOMAIN', 'CONFIG'] as const

type Params = Readonly<Record<string, string>>

/** What the paths of indy-vdr-proxy ask; null for a part of a path that nothing has. */
const questions: readonly (readonly [string, string, string, (params: Params) => LedgerQuestion | null])[] = [
  ['/nym/{did}', 'readLedgerNym', 'An identifier on the ledger', ({ did = '' }) => ({ kind: 'nym', did })],
  [
    '/attrib/{did}/{name}',
    'readLedgerAttribute',
    'An attribute of an identifier on the ledger',
    ({ did = '', name = '' }) => ({ kind: 'attribute', did, name }),
  ],
  ['/schema/{id}', 'readLedgerSchema', 'A schema on the ledger', ({ id = '' }) => ({ kind: 'schema', id })],
  [
    '/cred_def/{id}',
    'readLedgerCredentialDefinition',
    'A credential definition on the ledger',
    ({ id = '' }) => ({ kind: 'definition', id }),
  ],
  ['/taa', 'readLedgerAgreement', 'The agreement of the ledger', () => ({ kind: 'agreement' })],
  [
    '/aml',
    'readLedgerMechanisms',
    'How the agreement of the ledger may be accepted',
    () => ({ kind: 'mechanisms' }),
  ],
  [
    '/txn/{ledger}/{seqNo}',
    'readLedgerTransaction',
    'A transaction on the ledger',
    ({ ledger = '', seqNo = '' }) => {
      const named = ledgerNamed(ledger)
      if (named === null || !/^[1-9]\d{0,8}$/.test(seqNo)) return null
      return { kind: 'transaction', ledger: named, seqNo: Number(seqNo) }
    },
  ],
]

const VERSION = /(?:^|&)(?:versionId|versionTime)=/

/** Names of DIDs and, as DID URLs have them, of objects: in segments, or whole and encoded in one. */
const names: readonly (readonly [string, string, string, (params: Params) => string])[] = [
  ['/{did}', 'resolveLedgerDid', 'The document of a DID, or the object of a DID URL', ({ did = '' }) => did],
  [
    '/{did}/anoncreds/v0/SCHEMA/{name}/{version}',
    'resolveLedgerSchema',
    'The schema of a DID URL',
    ({ did, name, version }) => `${did}/anoncreds/v0/SCHEMA/${name}/${version}`,
  ],
  [
    '/{did}/anoncreds/v0/CLAIM_DEF/{seqNo}/{tag}',
    'resolveLedgerCredentialDefinition',
    'The credential definition of a DID URL',
    ({ did, seqNo, tag }) => `${did}/anoncreds/v0/CLAIM_DEF/${seqNo}/${tag}`,
  ],
]

const ledgerNamed = (text: string): 0 | 1 | 2 | null => {
  const index = LEDGERS.findIndex((name, number) => text.toUpperCase() === name || text === String(number))
  return index === 0 || index === 1 || index === 2 ? index : null
}

/**
 * The ledger for those who cannot reach its ports, under the paths of indy-vdr-proxy: nothing can be submitted. For
 * anybody, so each address has a rate.
 */
export const vdrProxyRoutes = (parts: VdrProxyParts): readonly Route[] => {
  const windows = new LocalRateWindows(parts.monotonicMs, TIMES_MAX)
  const rate = { max: parts.readsPerMinute, windowMs: WINDOW_MS }
  const tooMany = ({ head }: RawRequest): Problem<'rate_limited' | 'overloaded'> | null => {
    const taken = windows.take(networkOf(parts.clientAddress(head)), rate)
    if (taken.is === 'admitted') return null
    if (taken.is === 'full')
      return problem('overloaded', 'Too many addresses are being counted; try again.', retryAfter(WINDOW_MS))
    const reason = `One address may read the ledger ${rate.max} times in 60 seconds; wait before the next.`
    return problem('rate_limited', reason, retryAfter(taken.resetMs + 1))
  }
  const route = (
    path: string,
    operationId: string,
    summary: string,
    answer: (params: Params, query: string) => Eventually<Reply | Problem>,
  ): Route =>
    defineRawRoute({
      method: 'GET',
      path: `${VDR_PROXY}${path}`,
      operationId,
      summary,
      errors: ['not_found', 'invalid_request', 'rate_limited'],
      raw: {
        contentTypes: [],
        paramCharactersMax: PARAM_CHARACTERS_MAX,
        handle: (request) => tooMany(request) ?? answer(request.params, request.head.query),
      },
    })
  const status = () => jsonReply(statusText(parts), 0)
  return [
    route('', 'getLedgerProxy', 'Whether the ledger answers', status),
    // A client that joins the paths to our address needs it to end in a slash.
    route(
      '/',
      'getLedgerProxyBase',
      'Whether the ledger answers, at the address to which paths are joined',
      status,
    ),
    route('/genesis', 'getLedgerProxyGenesis', 'The genesis file of the ledger', () =>
      textReply(parts.genesis),
    ),
    ...questions.map(([path, operationId, summary, questionOf]) =>
      route(path, operationId, `${summary}, as its nodes answer`, (params) => {
        const question = questionOf(params)
        return question === null
          ? problem('not_found', 'There is nothing at this path.')
          : answered(() => parts.answer(question))
      }),
    ),
    ...names.map(([path, operationId, summary, nameOf]) =>
      route(`/1.0/identifiers${path}`, operationId, summary, (params, query) =>
        VERSION.test(query)
          ? problem('invalid_request', 'What the ledger had at an earlier time cannot be asked for.')
          : answered(() => parts.resolve(nameOf(params))),
      ),
    ),
  ]
}

const answered = async (answer: () => Promise<Answer | null>): Promise<Reply | Problem> => {
  try {
    const found = await answer()
    if (found === null) return problem('not_found', 'The ledger has nothing of this name.')
    return jsonReply(found.text, found.cacheSeconds)
  } catch (error) {
    if (error instanceof LedgerRefused)
      return problem('invalid_request', 'The path must name something as the ledger names it.')
    if (error instanceof LedgerBusy)
      return problem('overloaded', 'Too many read the ledger; try again.', retryAfter(BUSY_RETRY_MS))
    return problem('unavailable', 'The ledger does not answer now; try again.', retryAfter(AWAY_RETRY_MS))
  }
}
