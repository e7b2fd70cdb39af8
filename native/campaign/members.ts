/** Adds up objects of numbers, member by member. */
export const sum = (left: unknown, right: unknown): unknown => {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (!isObject(left) || !isObject(right)) return left ?? right
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return Object.fromEntries([...names].map((name) => [name, sum(left[name], right[name])] as const))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export const mapValues = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

/** Counts once more. */
export const add = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1
}
