import type { Runtime } from '../ports/runtime.ts'

const FIRST_MS = 1_000
const MAX_MS = 300_000

/** Doubles from one second to five minutes; between half and all of it, so that what failed together does not return together. */
export const backoffMs = (attempts: number, runtime: Runtime): number => {
  const fullMs = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempts - 1, 16))
  return Math.round(fullMs * (0.5 + runtime.random() / 2))
}
