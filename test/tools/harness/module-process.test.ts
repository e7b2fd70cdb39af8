import { afterEach, describe, expect, it } from 'vitest'
import { startProcess } from '../../../tools/harness/module-process.ts'
import { childrenOf, usageOf } from '../../../bench/harness/process-usage.ts'

const file = new URL('./parts/busy.ts', import.meta.url)
type Busy = typeof import('./parts/busy.ts')

const open: AsyncDisposable[] = []
const start = async (callTimeoutMs = 20_000) => {
  const started = await startProcess<Busy>(file, { callTimeoutMs, env: { BUSY_WORD: 'hello' } })
  open.push(started)
  return started
}
afterEach(async () => {
  for (const part of open.splice(0)) await part[Symbol.asyncDispose]()
})

describe('a benchmark process', () => {
  it('answers calls by name and passes its environment', async () => {
    const part = await start()
    expect((await part.call('word')).value).toBe('hello')
    expect((await part.call('sum', 2, 3)).value).toBe(5)
  })

  it('reports its own processor time apart from the caller', async () => {
    const part = await start()
    const ours = process.cpuUsage()
    const spun = await part.call('spin', 200)
    const caller = process.cpuUsage(ours)
    expect(spun.wallMs).toBeGreaterThan(0)
    expect(spun.cpuMs).toBeGreaterThanOrEqual(200)
    expect((caller.user + caller.system) / 1_000).toBeLessThan(spun.cpuMs)
    const usage = await part.usage()
    expect(usage.cpuMs).toBeGreaterThanOrEqual(spun.cpuMs)
    expect(usage.rssBytes).toBeGreaterThan(usage.heapBytes)
    expect(usageOf(part.pid).cpuMs).toBeGreaterThanOrEqual(spun.cpuMs - 20)
    expect(usageOf(part.pid).rssBytes).toBeGreaterThan(10_000_000)
  })

  it('is found among the children of whoever started it, and its own end with it', async () => {
    const part = await start()
    expect(childrenOf(process.pid).find(({ pid }) => pid === part.pid)?.command).toContain('module-host.ts')
    expect(childrenOf(part.pid)).toEqual([])
  })

  it('passes on what went wrong inside', async () => {
    const part = await start()
    await expect(part.call('fail')).rejects.toThrow(/fail of .*busy\.ts failed: Error: out of fuel/)
    expect((await part.call('sum', 1, 1)).value).toBe(2)
  })

  it('fails the calls in flight when it dies', async () => {
    const part = await start()
    await expect(part.call('die')).rejects.toThrow(/ended early \(exit code 3\)/)
  })

  it('is killed when a call takes longer than it may', async () => {
    const part = await start(1_500)
    await expect(part.call('spin', 60_000)).rejects.toThrow(/spin of .* took longer than 1500 ms/)
  })

  it('does not start from a module that cannot be loaded', async () => {
    const missing = new URL('./parts/missing.ts', import.meta.url)
    await expect(startProcess(missing)).rejects.toThrow(
      /usage of .*missing\.ts failed: Error .*Cannot find module/,
    )
  })
})
