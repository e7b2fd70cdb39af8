import { describe, expect, it } from 'vitest'
import { rebuild } from '../../src/cli/directory.ts'
import { createOutput } from '../../src/cli/output.ts'
import type { Answer, Call } from '../../src/cli/service-call.ts'

const rebuilding = (answers: readonly Answer[]) => {
  const lines: string[] = []
  const asked: string[] = []
  const output = createOutput(
    false,
    () => undefined,
    (line) => void lines.push(line),
  )
  const call: Call = (method) => {
    asked.push(method)
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? {})
  }
  return { lines, asked, done: rebuild(call, output, 1) }
}

const running = { status: 'running', shards: 2, shardsDone: 1, records: 7 }

describe('vouchsafe directory rebuild', () => {
  it('waits until it is done, and says how far it is when that changes', async () => {
    const { done, lines, asked } = rebuilding([running, running, { status: 'done', records: 9 }])
    expect(await done).toMatchObject({ records: 9 })
    expect(lines).toEqual(['1 of 2 shards, 7 records …\n'])
    expect(asked).toEqual(['POST', 'GET', 'GET'])
  })

  it('says why it failed', async () => {
    await expect(rebuilding([running, { status: 'failed', lastError: 'away' }]).done).rejects.toThrow('away')
    await expect(rebuilding([running, { status: 'none' }]).done).rejects.toThrow('begin again')
  })
})
