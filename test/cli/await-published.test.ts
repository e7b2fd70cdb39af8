import { describe, expect, it } from 'vitest'
import { awaitPublished } from '../../src/cli/await-published.ts'
import { createOutput } from '../../src/cli/output.ts'

describe('waiting for the ledger', () => {
  it('asks until it has decided', async () => {
    const answers = [{ status: 'pending' }, { status: 'published' }]
    const notes: string[] = []
    const output = createOutput(
      false,
      () => undefined,
      (line) => notes.push(line),
    )
    const call = () => Promise.resolve(answers.shift() ?? {})
    expect(await awaitPublished(call, 'schema show', { id: 'x', status: 'pending' }, output, 1)).toEqual({
      status: 'published',
    })
    expect(notes).toHaveLength(1)
  })
})
