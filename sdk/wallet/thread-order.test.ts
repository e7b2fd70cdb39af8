import { describe, expect, it } from 'vitest'
import { ThreadOrder } from './thread-order.ts'

describe('the messages of a thread', () => {
  it('are handled one after the other, those of other threads beside them', async () => {
    const order = new ThreadOrder()
    const happened: string[] = []
    const gate = Promise.withResolvers<undefined>()
    const step = (name: string, wait: Promise<unknown>) => async (): Promise<void> => {
      happened.push(`${name} begins`)
      await wait
      happened.push(`${name} ends`)
    }
    const first = order.run('one', step('first', gate.promise))
    const copy = order.run('one', step('copy', Promise.resolve()))
    await order.run('two', step('other', Promise.resolve()))
    expect(happened).toEqual(['first begins', 'other begins', 'other ends'])
    gate.resolve(undefined)
    await Promise.all([first, copy])
    expect(happened.slice(3)).toEqual(['first ends', 'copy begins', 'copy ends'])
  })

  it('go on after one that failed', async () => {
    const order = new ThreadOrder()
    const failed = order.run('one', () => Promise.reject(new Error('no')))
    const next = order.run('one', async () => 'next')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('next')
  })
})
