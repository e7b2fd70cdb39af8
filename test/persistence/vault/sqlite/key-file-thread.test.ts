import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../temporary-folder.ts'

const script = new URL('../../../../src/persistence/vault/sqlite/key-file-thread.ts', import.meta.url)

describe('thread of the key file', () => {
  const folder = temporaryFolder('key-thread')

  it('opens the file, answers, and ends when it is told to', async () => {
    const worker = new Worker(script, { workerData: { file: join(folder, 'keys.sqlite') } })
    expect(await once(worker, 'message')).toEqual([{ ready: true }])
    worker.postMessage({ slots: [], calls: [['currentMaster']] })
    expect(await once(worker, 'message')).toEqual([[1, { values: [[0, null]], failures: [] }]])
    worker.postMessage('stop')
    expect(await once(worker, 'exit')).toEqual([0])
  })

  it('says why when the file is not a key file', async () => {
    const file = join(folder, 'text.sqlite')
    writeFileSync(file, 'this is not a database, and long enough to be read as one'.repeat(20))
    const worker = new Worker(script, { workerData: { file } })
    expect(await once(worker, 'message')).toEqual([
      { ready: false, message: expect.stringContaining('not a database') as string },
    ])
    await worker.terminate()
  })
})
