import { EffectNotBegun } from '../../host/effects/fair-scheduler.ts'

/** Best effort for what the holder merely should know: one try, and whatever came of it is recorded as done. */
export const attempted = async (work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (error) {
    // That was no try yet.
    if (error instanceof EffectNotBegun) throw error
    // A wallet that can't be told finds out at its next message.
  }
}
