import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Random } from '../../tools/simulate/random.ts'
import { CrossTests } from '../../native/campaign/cross.ts'
import { Issuers } from '../../native/campaign/issuers.ts'

type Report = {
  readonly atStart: number
  readonly filled: number
  readonly writtenBytes: number
  readonly opened: string[]
}

/** A fresh process that fills the pool, and what it wrote or opened meanwhile. */
const fillInProcess = async (): Promise<Report> => {
  const child = fork(fileURLToPath(new URL('./prime-pool-process.ts', import.meta.url)))
  const [report] = (await once(child, 'message')) as [Report]
  await once(child, 'exit')
  return report
}

describe('primes found ahead', () => {
  it('are kept in memory alone: nothing is written and no file is opened', async () => {
    const { filled, writtenBytes, opened } = await fillInProcess()
    expect(filled).toBe(40)
    expect(writtenBytes).toBe(0)
    expect(opened).toEqual([])
  })

  it('do not survive their process', async () => {
    await fillInProcess()
    expect((await fillInProcess()).atStart).toBe(0)
  })

  it('are never handed out twice, whichever worker thread signs', { timeout: 120_000 }, async () => {
    const cross = new CrossTests(new Random(1))
    const published = cross.definition('native', ['name'])
    await using issuers = new Issuers(4)
    await issuers.draw(400, { ...published, ...cross.wallet.request(published), values: { name: 'Ann' } })
    expect(issuers.distinctPrimes).toBe(400)
  })
})
