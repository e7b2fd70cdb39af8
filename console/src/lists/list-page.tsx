import { useLocation } from 'preact-iso'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Takes } from '../api/generated/operations.ts'
import { Empty } from '../parts/empty.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { momentOfDay, readListAddress, writeListAddress } from '../state/list-address.ts'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import type { ItemOf, ListName } from '../state/use-whole-list.ts'
import { texts } from '../texts/texts.ts'
import { type Filter, Filters, nameOf } from './filters.tsx'
import { Pager } from './pager.tsx'
import { type Column, Table, TableSkeleton } from '../parts/table.tsx'

type ListPageProps<Name extends ListName> = {
  readonly operation: Name
  readonly title: string
  readonly lead: string
  readonly filters: readonly Filter[]
  readonly columns: readonly Column<ItemOf<Name>>[]
  /** What is said where there is nothing at all. */
  readonly empty: ComponentChildren
  readonly actions?: ComponentChildren
  /** Another number asks at once; what stands there keeps its place, and the focus. */
  readonly round?: number
  /** Between the filters and the table. */
  readonly children?: ComponentChildren
}

const EVERY_MS = 10_000

/** A list with its filters and pages, all of it in the address, asked again while it is looked at. */
export const ListPage = <Name extends ListName>(props: ListPageProps<Name>) => {
  const { operation, title, lead, filters, columns, empty, actions, children, round = 0 } = props
  const { query, path, route } = useLocation()
  const address = readListAddress(query, filters.map(nameOf))
  const { page, pageSize } = address
  // The filters of a list have the names of its query, which the types cannot see.
  const takes: object = { query: { page, pageSize, ...sentFilters(address.filters) } }
  const { body, problem, isLoading, again } = useAnswer(operation, takes as Takes[Name], {
    everyMs: usePace(EVERY_MS),
  })
  useEffect(() => {
    if (round > 0) again()
  }, [round])
  const isFiltered = Object.keys(address.filters).length > 0
  const items = (body?.items ?? []) as readonly ItemOf<Name>[]
  const total = body?.total ?? 0
  const isNothing = body !== null && total === 0
  const toAddress = (wanted: typeof address): string => `${path}${writeListAddress(wanted)}`
  const change = (wanted: typeof address): void => route(toAddress(wanted), true)
  return (
    <>
      <PageHead title={title} lead={lead}>
        {!(isNothing && !isFiltered) && actions}
      </PageHead>
      {!(isNothing && !isFiltered) && <Filters filters={filters} address={address} onChange={change} />}
      {children}
      {body === null ? <ProblemNotice problem={problem} /> : problem && <Stale />}
      {body === null && problem === null && <TableSkeleton label={texts.common.loading} />}
      {isNothing && (isFiltered ? <Empty title={texts.lists.noneTitle} text={texts.lists.none} /> : empty)}
      {total > 0 && (
        <>
          <Table label={title} columns={columns} items={items} keyOf={({ id }) => id} isBusy={isLoading} />
          <Pager {...{ total, address, toAddress }} onChange={change} isBusy={isLoading} />
        </>
      )}
    </>
  )
}

const Stale = () => (
  <Notice tone="warn">
    <p>{texts.errors.stale}</p>
  </Notice>
)

/** Days of the address as the moments that the API takes; everything else as it is. */
const sentFilters = (filters: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> => {
  const { from, to, state, ...others } = filters
  return {
    ...others,
    // Several states that count as one for people stand side by side.
    ...(state !== undefined && { state: state.split(',') }),
    ...(from !== undefined && { from: momentOfDay(from) }),
    ...(to !== undefined && { to: momentOfDay(to, true) }),
  }
}
