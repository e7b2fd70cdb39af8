import type { ApiPorts } from '../actors/kind-ports.ts'
import { AskFailed } from '../ports/actors.ts'
import type { Runtime } from '../ports/runtime.ts'
import { withinBy } from '../timing/within.ts'

/** It takes some milliseconds, so for longer only in trouble; a connection is to be erased within five seconds. */
const FORGOTTEN_MS_MAX = 4_000
const RETRY_AFTER_MS = 1_000

export type ForgettingParts = {
  /** Resolves when no node sends a webhook any more that shows it. */
  readonly cutOff: (recordId: string) => Promise<void>
  /** Resolves when the lists of all nodes show the record as it is now, and no file of theirs has what it was. */
  readonly clearedOf: (recordId: string) => Promise<void>
  /** Resolves when no key that was erased stands in what the key store has written ahead. */
  readonly keysCleaned: () => Promise<void>
  readonly runtime: Pick<Runtime, 'sleep'>
}

/** Waits until no node shows anything of a record any more, whose key is gone already. */
export const composeForgotten =
  ({ cutOff, clearedOf, keysCleaned, runtime }: ForgettingParts): ApiPorts['forgotten'] =>
  async (recordId) => {
    const clean = Promise.all([cutOff(recordId), clearedOf(recordId), keysCleaned()])
    await withinBy<unknown>(runtime, FORGOTTEN_MS_MAX, clean, () => {
      throw new AskFailed('unavailable', 'the erasure is not complete yet', RETRY_AFTER_MS)
    })
  }
