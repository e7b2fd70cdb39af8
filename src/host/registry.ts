import { kindOf, shardOf } from '../domain/shards.ts'
import type { AnyActorDefinition } from './definition.ts'

/** Every kind of actor that can live here. */
export class Registry {
  readonly #definitions = new Map<string, AnyActorDefinition>()

  constructor(definitions: readonly AnyActorDefinition[]) {
    for (const definition of definitions) {
      if (this.#definitions.has(definition.kind))
        throw new Error(`two kinds of actors are called ${definition.kind}`)
      this.#definitions.set(definition.kind, definition)
    }
  }

  /** Null for a text that is no id, or the id of a kind that does not exist. */
  find(actor: string): { readonly shard: number; readonly definition: AnyActorDefinition } | null {
    const shard = shardOf(actor)
    if (shard === null) return null
    const definition = this.#definitions.get(kindOf(actor))
    return definition === undefined ? null : { shard, definition }
  }
}
