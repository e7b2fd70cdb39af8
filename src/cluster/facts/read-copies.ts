import { refuse, type KindTypes } from '../../domain/decider.ts'
import { shardDigits, type Ref } from '../../domain/references.ts'
import type { Actors, ReadAnswer, ReadOptions } from '../../ports/actors.ts'
import type { FactCopies } from './fact-copies.ts'
import { NotLent } from './fact-messages.ts'

export type CopiedReads = {
  readonly copies: Pick<FactCopies, 'kept' | 'ask'>
  /** Whether this node serves the shard now: then the actor itself is read. */
  readonly isOpen: (shard: number) => boolean
  readonly isCopied: (actor: string, view: string) => boolean
}

const NOT_ASKED = refuse('not_found', 'Nothing is read for a caller who may not ask for it.')

/** The same actors, of which those of other nodes that are copied are read here. Changing one goes to its owner. */
export const readingCopies = (actors: Actors, { copies, isOpen, isCopied }: CopiedReads): Actors => ({
  ask: (to, command, options) => actors.ask(to, command, options),
  askAtomically: (members, options) => actors.askAtomically(members, options),
  read: <Of extends KindTypes, View extends keyof Of['views'] = 'record'>(
    from: Ref<Of>,
    options?: ReadOptions<View>,
  ): ReadAnswer<Of, View> => {
    const view = String(options?.view ?? 'record')
    if (isOpen(shardDigits(from)) || !isCopied(from, view)) return actors.read<Of, View>(from, options)
    const kept = copies.kept(from, view)
    if (kept !== undefined) return kept as ReadAnswer<Of, View>
    if (options?.mayLoad?.() === false) return NOT_ASKED
    return copies.ask(from, view).catch((error: unknown) => {
      if (error instanceof NotLent) return actors.read<Of, View>(from, options)
      throw error
    }) as ReadAnswer<Of, View>
  },
})
