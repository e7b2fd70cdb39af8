/** A step of so many rows holds commits up for a few milliseconds. */
const ROWS_PER_STEP = 128
const STEP_PAUSE_MS = 40
/** A pass looks at every row, however little can go. */
const PASS_PAUSE_MS = 30_000

/** Has the file swept again and again: slowly while there is something to do, and seldom asking otherwise. */
export const keepSwept = (step: (rowsMax: number) => Promise<boolean>): Disposable => {
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  const wait = (ms: number): void => {
    if (isClosed) return
    timer = setTimeout(() => {
      // A file that cannot be written now is asked again.
      step(ROWS_PER_STEP).then(
        (hasMore) => wait(hasMore ? STEP_PAUSE_MS : PASS_PAUSE_MS),
        () => wait(PASS_PAUSE_MS),
      )
    }, ms).unref()
  }
  wait(PASS_PAUSE_MS)
  return {
    [Symbol.dispose]: () => {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
