import { StoreFailure } from '../../store-port.ts'

const PAUSE_MS = 100
/** An erasure is answered 503 after four seconds, by whom waits for it; a rotation hears it from here. */
const CLEANING_MS_MAX = 4_500

/**
 * The key file's log cannot be emptied while another process reads the file. Its thread gives up at once, so that new
 * keys need not wait; whoever needs the log clean waits here, and all who wait try again together.
 */
export const patientCleaning = (attempt: () => Promise<void>): (() => Promise<void>) => {
  let pause: Promise<void> | null = null
  const nextTry = (): Promise<void> =>
    (pause ??= new Promise((resolve) => {
      setTimeout(() => {
        pause = null
        resolve()
      }, PAUSE_MS)
    }))
  return async () => {
    const endMs = performance.now() + CLEANING_MS_MAX
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        const mayHelp = error instanceof StoreFailure && error.outcome === 'unknown'
        if (!mayHelp || performance.now() >= endMs) throw error
      }
      await nextTry()
    }
  }
}
