/** What nodes send each other is plain values; what is kept of them is looked at first. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export const isText = (value: unknown): value is string => typeof value === 'string'

/** A whole number that is not negative. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** A number of milliseconds, which may be over. */
export const isTime = (value: unknown): value is number => Number.isFinite(value)

export const isList = <Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] => Array.isArray(value) && value.every(isItem)
