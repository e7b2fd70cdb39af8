import type { BaseRecord, Query, TagsBase } from '@credo-ts/core'

type AnyQuery = { readonly $and?: AnyQuery[]; readonly $or?: AnyQuery[]; readonly $not?: AnyQuery } & Record<
  string,
  unknown
>

/** Whether a record's tags satisfy a query, as Credo's own stores understand it: a list of values asks for all of them. */
export const matches = <Kept extends BaseRecord>(tags: TagsBase, query: Query<Kept>): boolean =>
  satisfies(tags, query as AnyQuery)

const satisfies = (tags: Record<string, unknown>, query: AnyQuery): boolean => {
  const { $and, $or, $not, ...simple } = query
  if ($and && !$and.every((part) => satisfies(tags, part))) return false
  if ($or && !$or.some((part) => satisfies(tags, part))) return false
  if ($not && satisfies(tags, $not)) return false
  return Object.entries(simple).every(([name, wanted]) => wanted === undefined || holds(tags[name], wanted))
}

const holds = (value: unknown, wanted: unknown): boolean => {
  if (Array.isArray(wanted)) return Array.isArray(value) && wanted.every((one) => value.includes(one))
  return value === wanted
}
