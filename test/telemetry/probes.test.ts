import { describe, expect, it, vi } from 'vitest'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { type Probed, Probes } from '../../src/telemetry/probes.ts'
import { eventually } from '../eventually.ts'
import { writtenLog } from './written-log.ts'

const start = async (parts: readonly Probed[], timeoutMs = 1_000, intervalMs = 5) => {
  const { log, logged } = writtenLog()
  const metrics = createMetrics()
  const probes = new Probes(parts, { intervalMs, timeoutMs, log, metrics })
  await probes.start()
  return { probes, logged, metrics }
}

describe('the probes', () => {
  it('are well without any part', async () => {
    const { probes } = await start([])
    expect(probes.healthy).toBe(true)
    await probes[Symbol.asyncDispose]()
  })

  it('know a broken part from the first moment, and notice when it is mended', async () => {
    let broken = true
    const part = {
      name: 'journal',
      probe: async () => (broken ? Promise.reject(new Error('away')) : undefined),
    }
    const { probes, logged, metrics } = await start([part])
    expect(probes.healthy).toBe(false)
    broken = false
    await eventually(() => expect(probes.healthy).toBe(true))
    expect((await metrics.partUp.get()).values).toMatchObject([{ labels: { part: 'journal' }, value: 1 }])
    await probes[Symbol.asyncDispose]()
    expect(logged.map(([event]) => event)).toEqual(['probe.failed', 'probe.recovered'])
  })

  it('tell of a failure once, however long it lasts', async () => {
    let calls = 0
    const part = {
      name: 'journal',
      probe: async () => {
        calls += 1
        throw new Error('away')
      },
    }
    const { probes, logged } = await start([part])
    await eventually(() => expect(calls).toBeGreaterThan(4))
    await probes[Symbol.asyncDispose]()
    expect(logged).toHaveLength(1)
  })

  it('take a part that hangs for broken, and the others for what they are', async () => {
    const hanging = { name: 'stream', probe: () => new Promise<void>(() => undefined) }
    const { probes, metrics } = await start([hanging, { name: 'journal', probe: async () => undefined }], 20)
    expect(probes.healthy).toBe(false)
    const values = (await metrics.partUp.get()).values.map(({ labels, value }) => [labels.part, value])
    expect(values).toEqual(
      expect.arrayContaining([
        ['stream', 0],
        ['journal', 1],
      ]),
    )
    await probes[Symbol.asyncDispose]()
  })

  it('ask nothing any more once they have stopped', async () => {
    let calls = 0
    const part = {
      name: 'journal',
      probe: async () => {
        calls += 1
      },
    }
    const { probes } = await start([part])
    await eventually(() => expect(calls).toBeGreaterThan(2))
    await probes[Symbol.asyncDispose]()
    const after = calls
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(calls).toBe(after)
  })
  it('ask more seldom while nobody looks, and at once when somebody does', async () => {
    vi.useFakeTimers()
    try {
      let calls = 0
      const part = {
        name: 'journal',
        probe: async () => {
          calls += 1
        },
      }
      const { probes } = await start([part], 1_000, 200)
      await vi.advanceTimersByTimeAsync(900)
      expect(calls).toBe(1)
      expect(probes.healthy).toBe(true)
      await vi.advanceTimersByTimeAsync(1)
      expect(calls).toBe(2)
      const watching = setInterval(() => probes.healthy, 20)
      await vi.advanceTimersByTimeAsync(1_000)
      clearInterval(watching)
      expect(calls).toBe(7)
      await vi.advanceTimersByTimeAsync(200)
      expect(calls).toBe(8)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(calls).toBe(10)
      await probes[Symbol.asyncDispose]()
    } finally {
      vi.useRealTimers()
    }
  })
})
