import { describe, expect, it, onTestFinished } from 'vitest'
import { Program } from '../../../tools/harness/program.ts'
import { Restarting } from '../../../tools/harness/restarting.ts'
import { untilFound } from '../../../tools/harness/waiting.ts'

const PROGRAM = `
process.on('SIGTERM', () => process.exit(0))
setInterval(() => {}, 1000)
setTimeout(() => console.error('ready ' + process.pid), 50)
`

const start = (script = PROGRAM) => {
  const restarting = new Restarting({
    open: () => new Program(['-e', script]),
    ready: (program) =>
      untilFound(
        () => /ready/.test(program.shown) || (!program.isRunning && Promise.reject(new Error('it ended'))),
        {
          limitMs: 20_000,
          otherwise: () => new Error('late'),
        },
      ),
  })
  onTestFinished(() => restarting.stop())
  restarting.start()
  return restarting
}

describe('a process that is started again whenever it has ended', () => {
  it('is another one after a kill, which is no failure', async () => {
    const restarting = start()
    const { pid } = await restarting.untilReady()
    restarting.kill()
    // Otherwise whoever kills again would hit the same one.
    expect(restarting.ready).toBeNull()
    await expect.poll(() => restarting.ready?.pid ?? pid).not.toBe(pid)
    expect(restarting.startsMs).toHaveLength(2)
    await restarting.stop()
    expect(restarting.failures).toEqual([])
    expect(restarting.ready).toBeNull()
  })

  it('is stopped right after a kill, which is no failure either', async () => {
    const restarting = start()
    await restarting.untilReady()
    restarting.kill()
    await restarting.stop()
    expect(restarting.failures).toEqual([])
    expect(restarting.ready).toBeNull()
  })

  it('is stopped also while it is frozen', async () => {
    const restarting = start()
    const running = await restarting.untilReady()
    restarting.freeze()
    await restarting.stop()
    expect(running.isRunning).toBe(false)
    expect(restarting.failures).toEqual([])
  })

  it('reports an end by itself with its last words', async () => {
    const restarting = start(`console.error('the disk is on fire'); process.exit(3)`)
    await expect.poll(() => restarting.failures.length).toBeGreaterThan(1)
    expect(restarting.failures[0]).toBe('it ended by itself with 3: the disk is on fire\n')
  })
})
