let lastMs = 0
let text = ''

/** The time in ISO 8601; formatted once per millisecond, because a busy service logs many lines in each. */
export const timeStamp = (): string => {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    text = new Date(now).toISOString()
  }
  return text
}
