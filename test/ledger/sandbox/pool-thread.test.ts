import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'

describe('the thread of the pool', () => {
  it('says that it failed when its folder cannot be used', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'pool-thread-')), 'a-file')
    writeFileSync(file, '')
    const url = new URL('../../../src/ledger/sandbox/pool-thread.ts', import.meta.url)
    const worker = new Worker(url, { workerData: { folder: file, host: '127.0.0.1', firstPort: 1 } })
    const [message] = (await once(worker, 'message')) as [{ is: string }]
    expect(message.is).toBe('failed')
    await worker.terminate()
  }, 20_000)
})
