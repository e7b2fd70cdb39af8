import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { ShardContext } from '../../src/host/shard-context.ts'
import { noRests } from '../../src/host/rests.ts'
import { MemoryJournal } from './parts/memory-journal.ts'

const pausesAt = async (chance: number): Promise<number[]> => {
  const journal = await new MemoryJournal().open(0)
  const runtime = { ...createRuntime(), now: () => 0, random: () => chance }
  const context = new ShardContext(
    { journal, vault: null, bodies: null, rests: noRests, runtime, report: () => undefined },
    AbortSignal.abort(),
  )
  return [1, 2, 3, 9, 10, 1_000].map((failures) => context.retryAtMs(failures))
}

describe('the pause before another attempt', () => {
  it('doubles from a second to five minutes', async () => {
    expect(await pausesAt(1)).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000])
  })

  it('is spread over half of it', async () => {
    expect(await pausesAt(0)).toEqual([500, 1_000, 2_000, 128_000, 150_000, 150_000])
  })
})
