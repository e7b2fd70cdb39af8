import { SHARD_COUNT } from '../../../src/domain/references.ts'
import { unwrapSnapshot } from '../../../src/host/state/snapshot-envelope.ts'
import type { EngineSettings } from '../../../src/persistence/engine-settings.ts'
import { checkShard } from '../../../src/persistence/journal-check.ts'
import { readActor } from '../../../src/persistence/journal-walk.ts'
import { openEngine, openForInspection } from '../../../src/persistence/open-engine.ts'

/** How often each record was erased, as the disk says: its events, or the last snapshot that they are folded into. */
export const erasuresOf = async (
  engine: EngineSettings,
  ids: readonly string[],
): Promise<readonly number[]> => {
  const reads = await openForInspection(engine)
  try {
    const counts: number[] = []
    for (const id of ids) {
      const { snapshot, events } = await readActor(reads, id)
      const later = events.filter(({ seq }) => seq > (snapshot?.seq ?? 0))
      const folded = snapshot !== null && /"erasedAtMs":\d/.test(unwrapSnapshot(snapshot.data).state)
      counts.push(later.filter(({ data }) => data.includes('"RecordErased"')).length + (folded ? 1 : 0))
    }
    return counts
  } finally {
    await reads[Symbol.asyncDispose]()
  }
}

/** What contradicts itself in the journal of a service that has been stopped. */
export const wrongJournal = async (settings: EngineSettings): Promise<readonly string[]> => {
  const engine = await openEngine(settings)
  try {
    const problems: string[] = []
    for (let shard = 0; shard < SHARD_COUNT; shard++)
      problems.push(...(await checkShard(engine.store, shard)).problems)
    return problems.map((problem) => `the journal: ${problem}`)
  } finally {
    await engine[Symbol.asyncDispose]()
  }
}

export const wrongErasures = async (
  engine: EngineSettings,
  ids: readonly string[],
  wanted: number,
): Promise<readonly string[]> => {
  const counts = await erasuresOf(engine, ids)
  return ids.flatMap((id, index) =>
    counts[index] === wanted ? [] : [`the journal has ${counts[index]} erasures of ${id}, not ${wanted}`],
  )
}
