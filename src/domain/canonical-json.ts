/** The same text for the same value, whatever the order in which its properties were written. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null'

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, sorted(inner)])
  entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  // Not an object literal: a property called __proto__ is a property like any other here.
  return Object.fromEntries(entries)
}
