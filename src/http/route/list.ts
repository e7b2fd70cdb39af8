import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Eventually } from '../../domain/eventually.ts'
import type { Directory, DirectoryRow } from '../../ports/directory.ts'
import { fold } from '../../domain/case-folded.ts'
import { limits } from '../../domain/limits.ts'
import { choice, sentText } from './fields.ts'
import { type Problem, problem } from './problem.ts'
import { NO_HEADERS, reply } from './route.ts'
import type { RequestHead } from '../server/server.ts'

/** The page, its size and the search text, which every list takes. */
export const pageQuery = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.pageMax, description: 'Which page; 1 by default.' }),
  ),
  pageSize: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      enum: [25, 50, 100],
      description: `Records on a page; ${limits.pageSizeDefault} by default.`,
    }),
  ),
  q: Type.Optional(
    sentText(limits.searchCharactersMax, 'A text to look for, whatever the case of its letters.', '1042'),
  ),
}

/** Of lists whose records are in one of a few states. */
export const statusQuery = (statuses: readonly string[]) => ({
  ...pageQuery,
  status: Type.Optional(choice(statuses, 'In this state.')),
})

/** `Date.parse` takes 30 February for 2 March, so the pattern itself knows the days of months and of leap years. */
const DAY = [
  String.raw`\d{4}-(0[13578]|1[02])-(0[1-9]|[12]\d|3[01])`,
  String.raw`\d{4}-(0[469]|11)-(0[1-9]|[12]\d|30)`,
  String.raw`\d{4}-02-(0[1-9]|1\d|2[0-8])`,
  String.raw`(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29`,
].join('|')
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d`
const DATE_TIME = new RegExp(`^(${DAY})[Tt]${TIME}(:[0-5]\\d(\\.\\d{1,9})?)?([Zz]|[+ -]${TIME})$`)

export const timeFilter = (description: string) =>
  Type.String({
    format: 'date-time',
    maxLength: 35,
    pattern: DATE_TIME.source,
    description,
    examples: ['2026-01-31T12:00:00Z'],
  })

/** For every list whose records have an external id. */
export const externalIdFilter = Type.String({
  minLength: 1,
  maxLength: limits.externalIdCharactersMax,
  description: 'A text that the external id contains, whatever the case of its letters.',
  examples: ['order-1042'],
})

/** Of lists that are also filtered by time, by several states at once, and by external id. */
export const stateQuery = {
  ...pageQuery,
  from: Type.Optional(timeFilter('Created at this time or later; a date-time with Z or an offset.')),
  to: Type.Optional(timeFilter('Created before this time; a date-time with Z or an offset.')),
  state: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: limits.stateCharactersMax }), {
      maxItems: limits.stateValuesMax,
      description: 'In this state; repeated, in any of them.',
      examples: [['done']],
    }),
  ),
  externalId: Type.Optional(externalIdFilter),
}

export const pageOf = <Item extends TSchema>(item: Item, order = 'newest first') =>
  Type.Object(
    {
      items: Type.Array(item, { description: `The records of this page, ${order}.` }),
      total: Type.Integer({ minimum: 0, description: 'How many records fit, over all pages.' }),
      page: Type.Integer({ minimum: 1, description: 'Which page this is.' }),
      pageSize: Type.Integer({ minimum: 1, description: 'How many records a page has.', examples: [25] }),
    },
    { additionalProperties: false, ...titleOfPage(item) },
  )

/** A page of a named kind of record has a name as well. */
const titleOfPage = ({ title }: { readonly title?: unknown }) =>
  typeof title === 'string' ? { title: `${title}Page` } : {}

/** What any list may be asked for. */
export type ListRequest = Static<TObject<typeof stateQuery & ReturnType<typeof statusQuery>>>

export type Page<Item> = {
  readonly items: readonly Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

/** The directory knows which records are on the page; what each shows comes from its actor. */
export const listPage = async <Item>(
  directory: Directory,
  of: { readonly tenant: string; readonly kind: string },
  /** What else is in it is a filter of the kind's rows. */
  request: ListRequest & Readonly<Record<string, unknown>>,
  show: (id: string, row: DirectoryRow) => Eventually<Item | null>,
): Promise<Page<Item> | Problem<'invalid_request'>> => {
  const {
    page = 1,
    pageSize = limits.pageSizeDefault,
    q,
    from,
    to,
    state,
    status,
    externalId,
    ...more
  } = request
  const fromMs = timeOf(from)
  const toMs = timeOf(to)
  if (Number.isNaN(fromMs)) return notATime('from')
  if (Number.isNaN(toMs)) return notATime('to')
  const { rows, total } = await directory.list({
    ...of,
    page,
    pageSize,
    q: q ?? null,
    states: state ?? (status === undefined ? [] : [status]),
    externalId: externalId ?? null,
    fromMs,
    toMs,
    filters: Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])),
  })
  const shown = await Promise.all(rows.map(async (row) => show(row.id, row)))
  return { items: shown.filter((item) => item !== null), total, page, pageSize }
}

/** A page of a list that is short enough to be in memory as a whole; `q` looks in `textsOf`. */
export const pageOfAll = <Item>(
  all: readonly Item[],
  { page = 1, pageSize = limits.pageSizeDefault, q }: Pick<ListRequest, 'page' | 'pageSize' | 'q'>,
  textsOf: (item: Item) => readonly (string | null)[],
): Page<Item> => {
  const wanted = fold(q ?? '')
  const fits = (item: Item): boolean =>
    q === undefined || textsOf(item).some((text) => text !== null && fold(text).includes(wanted))
  const found = all.filter(fits)
  return { items: found.slice((page - 1) * pageSize, page * pageSize), total: found.length, page, pageSize }
}

/** NaN where it is no time. The + of an offset arrives as a space where the caller did not encode it. */
export const timeOf = (text: string | undefined): number | null => {
  if (text === undefined) return null
  return DATE_TIME.test(text) ? Date.parse(text.replace(' ', '+')) : Number.NaN
}

const notATime = (field: string): Problem<'invalid_request'> =>
  problem('invalid_request', `${field} must be a date-time such as 2026-01-31T12:00:00Z.`)

/** The page, with links to the next and the previous one. */
export const pageReply = <Item>(
  { path, query }: Pick<RequestHead, 'path' | 'query'>,
  found: Page<Item> | Problem<'invalid_request'>,
) => {
  if ('problem' in found) return found
  const { page, pageSize, total } = found
  const pagesMax = Math.min(limits.pageMax, Math.ceil(total / pageSize))
  const links = [
    ...(page < pagesMax ? [linkTo(path, query, page + 1, 'next')] : []),
    ...(page > 1 ? [linkTo(path, query, Math.max(1, Math.min(page - 1, pagesMax)), 'prev')] : []),
  ]
  return reply(200, found, links.length === 0 ? NO_HEADERS : { Link: links.join(', ') })
}

const linkTo = (path: string, query: string, page: number, relation: 'next' | 'prev'): string => {
  const params = new URLSearchParams(query)
  params.set('page', String(page))
  return `<${path}?${params.toString()}>; rel="${relation}"`
}
