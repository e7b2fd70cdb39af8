const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const SAME_GESTURE_MS = 300

/**
 * The second signal ends the process at once: its sender has waited long enough, and committed work is safe. One
 * keystroke may arrive as two signals, from a supervisor that signals the whole group and from the parent process.
 */
export const firstSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let firstAt: number | null = null
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const now = performance.now()
        if (firstAt !== null && now - firstAt > SAME_GESTURE_MS) process.exit(signal === 'SIGINT' ? 130 : 143)
        firstAt ??= now
        resolve()
      })
    }
  })
