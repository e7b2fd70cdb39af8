import { AskFailed, type Actors } from '../ports/actors.ts'

export type LateActors = Actors & { set(actors: Actors): void }

const RETRY_MS = 500

/** Actors owe work to each other from the moment their shard opens, before all of them can be asked. */
export const lateActors = (): LateActors => {
  let known: Actors | null = null
  const notYet = (): Promise<never> =>
    Promise.reject(new AskFailed('unavailable', 'the actors are still being opened', RETRY_MS))
  return {
    ask: (...asked) => known?.ask(...asked) ?? notYet(),
    answerNow: (...asked) => known?.answerNow?.(...asked) ?? null,
    askTogether: (...asked) => known?.askTogether(...asked) ?? notYet(),
    set: (actors) => {
      known = actors
    },
  }
}
