import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DirectoryAnswer, DirectoryRequest } from '../../src/directory/directory-messages.ts'
import { query, row } from './directory-rows.ts'

const script = new URL('../../src/directory/directory-thread.ts', import.meta.url)
const position = { no: 4, index: 2 }

let worker: Worker
let answers: DirectoryAnswer[]
beforeEach(() => {
  worker = new Worker(script, { workerData: { file: ':memory:' } })
  answers = []
  worker.on('message', (answer: DirectoryAnswer) => void answers.push(answer))
})
afterEach(() => worker.terminate())

const ask = (call: number, operation: DirectoryRequest['operation'], input: unknown) =>
  worker.postMessage({ call, operation, input } satisfies DirectoryRequest)
const answerTo = async (call: number) => {
  await expect.poll(() => answers.some((answer) => answer.call === call), { timeout: 60_000 }).toBe(true)
  return answers.find((answer) => answer.call === call)
}

describe('the thread of the directory', () => {
  it('answers each call under its number', async () => {
    ask(1, 'writeAll', [{ shard: 7, rows: [row('a', { searchText: 'Ämter' })], position }])
    ask(2, 'list', query({ q: 'ÄMT' }))
    ask(3, 'positionOf', 7)
    expect(await answerTo(3)).toEqual({ call: 3, value: position })
    expect(await answerTo(2)).toMatchObject({ value: { total: 1, rows: [{ id: 'a' }] } })
    expect(await answerTo(1)).toEqual({ call: 1, value: undefined })
  })

  it('tells what failed, writes none of it, and goes on', async () => {
    const broken = { ...row('b'), state: null }
    ask(1, 'writeAll', [{ shard: 7, rows: [row('a'), broken], position }])
    ask(2, 'list', query())
    expect(await answerTo(1)).toMatchObject({ failed: expect.stringContaining('NOT NULL') as string })
    expect(await answerTo(2)).toMatchObject({ value: { total: 0 } })
  })

  it('ends when it is closed', async () => {
    ask(1, 'close', null)
    expect(await once(worker, 'exit')).toEqual([0])
  })
})
