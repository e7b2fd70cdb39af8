import { describe, expect, it } from 'vitest'
import { Lifecycle } from '../src/lifecycle.ts'

describe('a lifecycle', () => {
  it('ends what was added last first, one at a time', async () => {
    const lifecycle = new Lifecycle()
    const order: string[] = []
    for (const name of ['log', 'journal', 'http']) {
      lifecycle.add(name, async () => {
        order.push(`${name} begins`)
        await Promise.resolve()
        order.push(`${name} ends`)
      })
    }
    await lifecycle.end(() => undefined)
    expect(order.map((line) => line.split(' ')[0])).toEqual([
      'http',
      'http',
      'journal',
      'journal',
      'log',
      'log',
    ])
  })

  it('goes on past a step that fails, and tells which', async () => {
    const lifecycle = new Lifecycle()
    const failed: string[] = []
    let ended = false
    lifecycle.add('log', async () => {
      ended = true
    })
    lifecycle.add('journal', () => Promise.reject(new Error('x')))
    await lifecycle.end((name) => void failed.push(name))
    expect([failed, ended]).toEqual([['journal'], true])
  })

  it('ends once', async () => {
    const lifecycle = new Lifecycle()
    let times = 0
    lifecycle.add('log', async () => {
      times += 1
    })
    await lifecycle.end(() => undefined)
    await lifecycle.end(() => undefined)
    expect(times).toBe(1)
  })
})
