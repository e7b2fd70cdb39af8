import type { Actors } from '../../../src/ports/actors.ts'

type Doing = { readonly [Verb in keyof Actors]?: (...asked: never[]) => unknown }

/** Actors that can do what a test says, and reject everything else. */
export const actorsThat = (doing: Doing): Actors => {
  const unexpected = () => Promise.reject(new Error('not asked in this test'))
  const all = {
    ask: unexpected,
    read: unexpected,
    askAtomically: unexpected,
    ...doing,
  }
  return all as unknown as Actors
}

/** Stands for a host that is opened later, in worlds whose kinds want to ask it. */
export const actorsOf = (host: () => Actors): Actors =>
  actorsThat({
    ask: (...asked) => (host().ask as (...asked: unknown[]) => unknown).apply(host(), asked),
    read: (...asked) => (host().read as (...asked: unknown[]) => unknown).apply(host(), asked),
    askAtomically: (...asked) =>
      (host().askAtomically as (...asked: unknown[]) => unknown).apply(host(), asked),
  })
