import { shardOf } from '../../../src/domain/references.ts'
import type { LocalActors } from '../../../src/ports/actors.ts'
import type { Truth } from '../truth.ts'
import { Violation, type World } from '../world.ts'

type Owner = () => string | null
type Any = (...given: readonly unknown[]) => unknown

/** Stands between the routed asks and the host of each process: who answers must own the shard at that moment. */
export class Witness {
  readonly #world: World
  readonly #truth: Truth

  constructor(world: World, truth: Truth) {
    this.#world = world
    this.#truth = truth
  }

  over(local: LocalActors, owner: Owner): LocalActors {
    const seen = (verb: 'askHere' | 'read' | 'askAtomically', actorOf: (first: unknown) => string): Any => {
      const ask = (local[verb] as Any).bind(local)
      return (...given) => {
        const answer = ask(...given)
        if (!(answer instanceof Promise)) {
          this.#check(actorOf(given[0]), owner())
          return answer
        }
        return answer.then((reply: unknown) => {
          this.#check(actorOf(given[0]), owner())
          return reply
        })
      }
    }
    return {
      // Goes on elsewhere by itself where the shard is lost.
      ask: local.ask.bind(local),
      askHere: seen('askHere', String),
      read: seen('read', String),
      askAtomically: seen('askAtomically', (members) => (members as readonly { to: string }[])[0]?.to ?? ''),
      remove: (actor: string) => local.remove(actor),
      takes: (shard: number) => local.takes(shard),
    } as unknown as LocalActors
  }

  #check(actor: string, owner: string | null): void {
    const inLog = this.#truth.ownerOf(shardOf(actor) ?? 0)
    if (owner !== inLog)
      this.#world.fail(new Violation(`${owner ?? 'nobody'} answers for ${actor}, whose shard is ${inLog}'s`))
  }
}
