import { describe, expect, it } from 'vitest'
import { POLL_EVERY_MS, Polling } from '../../sdk/core/polling.ts'
import { SteppedClock } from './fakes.ts'

describe('polling', () => {
  it('happens at the start and then every ten seconds until the stop, failures or not', async () => {
    const clock = new SteppedClock()
    let times = 0
    const polling = new Polling(clock, async () => {
      times += 1
      if (times === 1) throw new Error('away')
    })
    polling.start()
    polling.start()
    await clock.pass(0)
    await clock.pass(POLL_EVERY_MS - 1)
    expect(times).toBe(1)
    await clock.pass(1)
    await clock.pass(POLL_EVERY_MS)
    expect(times).toBe(3)
    polling.stop()
    await clock.pass(POLL_EVERY_MS)
    expect(times).toBe(3)
    polling.start()
    await clock.pass(0)
    expect(times).toBe(4)
  })

  it('that is stopped meanwhile does not go on', async () => {
    const clock = new SteppedClock()
    let times = 0
    const polling: Polling = new Polling(clock, async () => {
      times += 1
      polling.stop()
    })
    polling.start()
    await clock.pass(0)
    await clock.pass(POLL_EVERY_MS)
    expect(times).toBe(1)
  })
})
