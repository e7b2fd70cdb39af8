/** Adds up objects of numbers, member by member. */
export const sum = (left: unknown, right: unknown): unknown => {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (!isObject(left) || !isObject(right)) return left ?? right
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return Object.fromEntries([...names].map((name) => [name, sum(left[name], right[name])] as const))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
