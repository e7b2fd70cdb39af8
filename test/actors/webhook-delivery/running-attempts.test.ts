import { describe, expect, it } from 'vitest'
import { RunningAttempts } from '../../../src/actors/webhook-delivery/running-attempts.ts'

const never = new AbortController().signal

/** A receiver that takes for ever, until the attempt is cut off. */
const hanging = (signal: AbortSignal): Promise<string> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))

describe('an attempt whose body shows a record', () => {
  it('is cut off when the record is erased, and begins again with what the record then shows', async () => {
    const attempts = new RunningAttempts()
    const bodies: string[] = []
    let shown = 'Ada'
    const sent = attempts.run(['cre_1'], never, async (signal) => {
      bodies.push(shown)
      return shown === 'Ada' ? hanging(signal) : 'delivered'
    })
    shown = 'null'
    await attempts.cutOff('cre_1')
    expect(await sent).toBe('delivered')
    expect(bodies).toEqual(['Ada', 'null'])
  })

  it('of another record goes on, and one that is over is not waited for', async () => {
    const attempts = new RunningAttempts()
    const { promise, resolve } = Promise.withResolvers<string>()
    let isCut = false
    const other = attempts.run(['cre_2'], never, (signal) => {
      signal.addEventListener('abort', () => (isCut = true))
      return promise
    })
    await attempts.run(['cre_1'], never, async () => 'delivered')
    await attempts.cutOff('cre_1')
    expect(isCut).toBe(false)
    resolve('delivered')
    expect(await other).toBe('delivered')
  })

  it('ends with the shard that owes it, and with a failure of its own', async () => {
    const attempts = new RunningAttempts()
    const shard = new AbortController()
    const sent = attempts.run(['cre_1'], shard.signal, hanging)
    shard.abort()
    await expect(sent).rejects.toThrow('given up')
    await expect(
      attempts.run(['cre_1'], shard.signal, (signal) => Promise.reject(signal.reason as Error)),
    ).rejects.toThrow()
    const failed = attempts.run(['cre_1'], never, () => Promise.reject(new Error('broken')))
    await expect(failed).rejects.toThrow('broken')
  })
})
