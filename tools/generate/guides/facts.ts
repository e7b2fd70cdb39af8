import { codes } from '../../../src/domain/codes.ts'
import { encodeAttribute, isReadTwoWays } from '../../../src/domain/attributes.ts'
import { limitTable, limits } from '../../../src/domain/limits.ts'
import { rates } from '../../../src/config/settings/front.ts'
import { policy } from '../../../src/config/settings/work.ts'
import { errorMeanings } from '../../../src/http/route/error-meanings.ts'
import { kinds } from '../../../src/actors/index.ts'
import { publishedEventsOf } from '../../../src/actors/published-events.ts'
import { webhooks } from '../../../src/http/openapi/webhooks.ts'
import { slugOf } from '../../../src/http/docs/described.ts'
import { statusOf } from '../../../src/http/route/problem.ts'
import type { Route } from '../../../src/http/route/route.ts'
import { apiRoutes } from '../../described-api.ts'
import { table } from '../table.ts'

/** What the guides say that the code says as well, by the marks at which it stands. */
export const guideFacts: Readonly<Record<string, () => string>> = {
  'console only': () => routeTable(setupRoutes()),
  'keyed routes': () => routeTable(apiRoutes().filter(takesKey)),
  numbers: numberTable,
  'offer limits': () => limitRows(OFFER_LIMITS),
  rates: () =>
    table(
      ['caller', 'requests in 60 seconds'],
      [
        [
          'an API key',
          `${rates.apiKeyRequestsPerMinute.default}; the operators may give an organisation more`,
        ],
        ['a wallet token', String(rates.walletTokenRequestsPerMinute.default)],
        ['a session of the console', String(rates.sessionRequestsPerMinute.default)],
        [
          'items of requests for [many offers](many-offers.md), with all keys of an organisation',
          policy.offerItemsPerMinuteMax.default.toLocaleString('en-US'),
        ],
        ...(hasMediator()
          ? [
              [
                'mediator invitations of a wallet token',
                `${limits.mediatorInvitationsMax} in ${limits.mediatorInvitationsWindowSeconds / 60} minutes`,
              ],
            ]
          : []),
      ],
    ),
  'all limits': () =>
    limitRows(
      (Object.keys(limitTable) as (keyof typeof limitTable)[]).filter(
        (name) => hasMediator() || !name.startsWith('mediatorInvitations'),
      ),
    ),
  errors: errorTable,
  events: eventSections,
}

/** A limit that no route keeps yet is not promised. */
const hasMediator = (): boolean => apiRoutes().some(({ path }) => path === '/v1/wallet/mediator-invitation')

const OFFER_LIMITS = [
  'attributesMax',
  'attributeNameCharactersMax',
  'attributeValueBytesMax',
  'attributesBytesMax',
  'expiresAtSecondsMax',
  'externalIdCharactersMax',
] as const

const limitRows = (names: readonly (keyof typeof limitTable)[]): string =>
  table(
    ['limit', 'value', 'of'],
    names.map((name) => {
      const { value, unit, doc } = limitTable[name]
      return [doc, value.toLocaleString('en-US'), unit]
    }),
  )

const setupRoutes = (): readonly Route[] =>
  apiRoutes().filter(
    ({ access: { callers }, path }) =>
      callers.includes('member') &&
      !callers.includes('api_key') &&
      !callers.includes('operator') &&
      path.startsWith('/v1/'),
  )

const takesKey = ({ access, idempotency }: Route): boolean =>
  idempotency !== null && idempotency !== 'ignored' && !access.callers.includes('operator')

const routeTable = (routes: readonly Route[]): string =>
  table(
    ['route', 'what it does'],
    routes
      .toSorted((left, right) => (left.path < right.path ? -1 : 1))
      .map(({ method, path, operationId, summary, raw, tag }) => {
        const name = `\`${method} ${path}\``
        const link = raw === null && tag !== null ? `/docs/api/${slugOf(tag.name)}#${operationId}` : null
        return [link === null ? name : `[${name}](${link})`, summary]
      }),
  )

const VALUES = [
  '42',
  '-7',
  '05',
  '00501',
  '2147483647',
  '2147483648',
  '+5',
  '+ 5',
  '5.0',
  '1e3',
  '1 000',
  '1990-12-10',
  'yes',
]

/** How the service encodes values when it signs. */
function numberTable(): string {
  const rows = VALUES.map((value) => {
    if (isReadTwoWays(value)) return [`\`${value}\``, 'refused with 400']
    let isHashed = false
    const number = encodeAttribute(value, () => {
      isHashed = true
      return Uint8Array.of(0)
    })
    return [`\`${value}\``, isHashed ? 'a text' : `the number ${number}`]
  })
  return table(['value', 'is'], rows)
}

function errorTable(): string {
  const rows = (Object.keys(codes) as (keyof typeof codes)[])
    .toSorted((left, right) => statusOf[left] - statusOf[right])
    .map((code) => {
      const { when, mend } = errorMeanings[code]
      return [String(statusOf[code]), `<a id="${code}"></a>\`${code}\``, when, mend]
    })
  return table(['status', 'code', 'when', 'what to do'], rows)
}

type Posted = {
  readonly post: {
    readonly operationId: string
    readonly summary: string
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly example: unknown } } }
  }
}

function eventSections(): string {
  return Object.entries(webhooks(publishedEventsOf(kinds)) as Readonly<Record<string, Posted>>)
    .map(([type, { post }]) => {
      const { example } = post.requestBody.content['application/json']
      const fields = `[All fields](/docs/api/webhooks#${post.operationId}).`
      return `### ${type}\n\n${post.summary}. ${fields}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
    })
    .join('\n\n')
}
