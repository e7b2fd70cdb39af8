/** Until it holds; a failure says what was waited for. */
export const until = async (what: string, holds: () => boolean, timeoutMs = 5_000): Promise<void> => {
  const end = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
