import { SHARD_COUNT } from '../../src/domain/references.ts'
import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import { walkActors } from '../../src/persistence/journal-walk.ts'
import { openForInspection } from '../../src/persistence/open-engine.ts'

/** The ids of all actors in the journal of a service that has been stopped. */
export const actorsIn = async (engine: EngineSettings): Promise<readonly string[]> => {
  const reads = await openForInspection(engine)
  const found: string[] = []
  for (let shard = 0; shard < SHARD_COUNT; shard++)
    for await (const actor of walkActors(reads, shard)) found.push(actor)
  await reads[Symbol.asyncDispose]()
  return found
}
