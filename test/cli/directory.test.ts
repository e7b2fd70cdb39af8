import { describe, expect, it } from 'vitest'
import { rebuild } from '../../src/cli/directory.ts'
import type { Answer } from '../../src/cli/operator-call.ts'
import { createOutput } from '../../src/cli/output.ts'

const told = (answers: readonly Answer[]) => {
  const lines: string[] = []
  const asked: string[] = []
  const output = createOutput(
    false,
    () => undefined,
    (line) => void lines.push(line),
  )
  const call = (command: string) => {
    asked.push(command)
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? {})
  }
  return { lines, asked, done: rebuild(call, output, 1) }
}

const running = { status: 'running', shards: 2, shardsDone: 1, records: 7 }

describe('vouchsafe directory rebuild', () => {
  it('waits until it is done, and says how far it is when that changes', async () => {
    const { done, lines, asked } = told([running, running, { status: 'done', records: 9 }])
    expect(await done).toMatchObject({ records: 9 })
    expect(lines).toEqual(['1 of 2 shards, 7 records …\n'])
    expect(asked).toEqual(['directory rebuild', 'directory show', 'directory show'])
  })

  it('says why it failed', async () => {
    await expect(told([running, { status: 'failed', lastError: 'away' }]).done).rejects.toThrow('away')
    await expect(told([running, { status: 'none' }]).done).rejects.toThrow('begin again')
  })
})
