import { type Actors, AskFailed } from '../ports/actors.ts'

/** Stands for the host until it is there: what it is built of wants to ask it. */
export const lateActors = (): Actors & { set(actors: Actors): void } => {
  let known: Actors | null = null
  const notYet = (): Promise<never> =>
    Promise.reject(new AskFailed('unavailable', 'the actors are not started yet', 100))
  const all = {
    set: (actors: Actors) => {
      known = actors
    },
    ask: (actor: never, command: never, options: never) => known?.ask(actor, command, options) ?? notYet(),
    // What is read may be null.
    read: (from: never, options: never) => (known === null ? notYet() : known.read(from, options)),
    askAtomically: (members: never, options: never) => known?.askAtomically(members, options) ?? notYet(),
    answerNow: (actor: string, question: unknown) => known?.answerNow?.(actor, question) ?? null,
    askTogether: (commands: never, refused: never, options: never) =>
      known?.askTogether(commands, refused, options) ?? notYet(),
  }
  return all as unknown as Actors & { set(actors: Actors): void }
}
