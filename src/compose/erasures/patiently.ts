import type { Runtime } from '../../ports/runtime.ts'
import { isWaitedFor } from '../../ports/parking.ts'

export const TRIES = 10
export const TRIED_AGAIN_MS = 1_000

/** Again where it failed for what comes back by itself. */
export const patiently = async <Value>(
  { runtime }: { readonly runtime: Pick<Runtime, 'sleep'> },
  work: () => Promise<Value>,
): Promise<Value> => {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isWaitedFor(error) || tries === TRIES) throw error
      await runtime.sleep(TRIED_AGAIN_MS)
    }
  }
}
