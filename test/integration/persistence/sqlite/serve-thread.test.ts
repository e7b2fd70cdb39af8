import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { serveThread } from '../../../../src/persistence/sqlite/serve-thread.ts'

const start = (file: string): Worker =>
  new Worker(new URL('parts/echo-thread.ts', import.meta.url), { workerData: { file } })
const answer = async (worker: Worker): Promise<unknown> => (await once(worker, 'message'))[0]

it('a database thread says that it is ready, answers each group, and ends when it is told to', async () => {
  const worker = start('some file')
  expect(await answer(worker)).toEqual({ ready: true })
  for (const text of ['one', 'two']) {
    worker.postMessage({ slots: [], calls: [['echo', text]] })
    expect(await answer(worker)).toEqual([1, { values: [[0, `some file: ${text}`]], failures: [] }])
  }
  worker.postMessage('stop')
  expect(await once(worker, 'exit')).toEqual([0])
})

it('a database thread whose file cannot be opened says why, and ends', async () => {
  const worker = start('')
  const ended = once(worker, 'exit')
  expect(await answer(worker)).toEqual({ ready: false, message: 'there is no file' })
  expect(await ended).toEqual([0])
})

it('the script of a database thread is nothing to import', () => {
  expect(() => serveThread(() => ({ run: () => ({ values: [], failures: [] }), close: () => {} }))).toThrow(
    'started as a worker thread',
  )
})
