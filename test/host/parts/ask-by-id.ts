import type { KindTypes } from '../../../src/domain/decider.ts'
import type { Ref } from '../../../src/domain/references.ts'
import type { Actors, AskOptions } from '../../../src/ports/actors.ts'

/** Asks an actor by its bare id, for tests that are about the host and not about a kind. */
export const askById = <Reply>(
  actors: Pick<Actors, 'ask'>,
  id: string,
  command: unknown,
  options: AskOptions,
): Promise<Reply> => actors.ask(id as Ref<KindTypes>, command, options) as Promise<Reply>
