/** What a list shows, as its address says it, so that it can be shared, reloaded and gone back to. */
export type ListAddress = {
  readonly page: number
  readonly pageSize: 25 | 50 | 100
  /** `q` and the list's own filters, by the names that the API gives them. */
  readonly filters: Readonly<Record<string, string>>
}

const PAGE_SIZES = [25, 50, 100] as const
const PAGE_MAX = 100_000
const DAYS = new Set(['from', 'to'])
const IS_DAY = /^\d{4}-\d\d-\d\d$/

/** Whatever stands in an address that a list does not know counts for nothing. */
export const readListAddress = (
  query: Readonly<Record<string, string>>,
  known: readonly string[],
): ListAddress => {
  const page = Number(query['page'] ?? 1)
  const filters = known.flatMap((name) => {
    const value = query[name] ?? ''
    return value === '' || (DAYS.has(name) && !IS_DAY.test(value)) ? [] : [[name, value] as const]
  })
  return {
    page: Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1,
    pageSize: PAGE_SIZES.find((size) => String(size) === query['pageSize']) ?? 25,
    filters: Object.fromEntries(filters),
  }
}

/** The query of the address, with its question mark; empty where everything is as it begins. */
export const writeListAddress = ({ page, pageSize, filters }: ListAddress): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value)
  if (pageSize !== 25) query.set('pageSize', String(pageSize))
  if (page !== 1) query.set('page', String(page))
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** Another filter begins at the first page again. */
export const withFilter = (address: ListAddress, name: string, value: string): ListAddress => ({
  ...address,
  page: 1,
  filters: { ...address.filters, [name]: value },
})

/** A day as the person means it, as the moment that the API takes; `to` names the day that is shown last. */
export const momentOfDay = (day: string, isTo = false): string | undefined => {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number)
  const at = new Date(year, month - 1, date + (isTo ? 1 : 0))
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
