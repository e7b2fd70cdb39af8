import { describe, expect, it } from 'vitest'
import { createOutput } from '../../src/cli/output.ts'
import { untilPublished } from '../../src/cli/publishing.ts'

describe('waiting for the ledger', () => {
  it('looks until it has decided, and says once that it goes on', async () => {
    const answers = [{ status: 'pending' }, { status: 'published' }]
    const notes: string[] = []
    const output = createOutput(
      false,
      () => undefined,
      (line) => notes.push(line),
    )
    const look = () => Promise.resolve(answers.shift() ?? {})
    expect(await untilPublished({ status: 'pending' }, look, output, { pollMs: 1 })).toEqual({
      status: 'published',
    })
    expect([notes.length, answers.length]).toEqual([1, 0])
  })
})
