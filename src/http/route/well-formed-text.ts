/** Where a text lies that is no whole text, as the steps to it; null when there is none. */
export const brokenTextIn = (value: unknown): readonly string[] | null => {
  if (typeof value === 'string') return isWhole(value) ? null : []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    // A name that is broken itself is not repeated.
    const within = isWhole(name) ? brokenTextIn(inner) : []
    if (within !== null) return isWhole(name) ? [name, ...within] : []
  }
  return null
}

/** Libraries in C end a text at NUL, and half a surrogate pair cannot be written in UTF-8. */
const isWhole = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** JSON in UTF-8 can hold either as an escape alone, which hardly any body has: the others cost one search. */
export const mayHoldBrokenText = (json: string): boolean => json.includes('\\u')
