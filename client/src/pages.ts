type Page<Item> = {
  readonly items: readonly Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}
/** What is no record of its own is known by its place among the others. */
type Listed = { readonly id?: string; readonly index?: number; readonly createdAt?: string }
type Paging = { readonly page?: number | undefined; readonly pageSize?: number | undefined }

const PAGE_SIZE = 100
const PAGES_MAX = 100_000

/**
 * One record after the other. Lists are newest first, so what comes to be meanwhile moves the others to later pages:
 * where a list can end at a time (`until`), it ends with the newest record of the first page; elsewhere a record that
 * the page before had already is passed over.
 */
export async function* eachOf<Item extends Listed, Query extends Paging>(
  list: (query: Query) => Promise<Page<Item>>,
  query: Omit<Query, 'page'>,
  until: string | null,
): AsyncGenerator<Item, void, undefined> {
  let asked = { pageSize: PAGE_SIZE, ...query } as unknown as Query
  let before = new Set<string | number | undefined>()
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { items, pageSize } = await list({ ...asked, page })
    for (const item of items) if (!before.has(nameOf(item))) yield item
    // Not by `total`, which grows while records are added.
    if (items.length < pageSize) return
    const newest = items[0]?.createdAt
    if (page === 1 && until !== null && newest !== undefined && !(until in asked))
      asked = { ...asked, [until]: justAfter(newest) }
    before = new Set(items.map(nameOf))
  }
}

const nameOf = ({ id, index }: Listed): string | number | undefined => id ?? index

const justAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString()
