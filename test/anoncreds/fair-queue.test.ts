import { describe, expect, it } from 'vitest'
import { AnonCredsOverloaded } from '../../src/ports/anoncreds.ts'
import { FairQueue } from '../../src/anoncreds/fair-queue.ts'

const drained = (queue: FairQueue<string>): string[] => {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

describe('the fair queue', () => {
  it('takes from each tenant in turn, the oldest first', () => {
    const queue = new FairQueue<string>(20)
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.slice(0, 1), item)
    expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  })

  it('refuses more than it may hold', () => {
    const queue = new FairQueue<string>(4)
    for (const tenant of ['a', 'b', 'c', 'd']) queue.push(tenant, tenant)
    expect(() => queue.push('e', 'e')).toThrow(AnonCredsOverloaded)
    expect(queue.waiting).toBe(4)
  })

  it('leaves room for others when one tenant floods it', () => {
    const queue = new FairQueue<string>(4)
    queue.push('a', 'a1')
    queue.push('a', 'a2')
    expect(() => queue.push('a', 'a3')).toThrow(AnonCredsOverloaded)
    queue.push('b', 'b1')
    expect(drained(queue)).toEqual(['a1', 'b1', 'a2'])
  })

  it('gives a tenant that returns no earlier turn', () => {
    const queue = new FairQueue<string>(20)
    queue.push('a', 'a1')
    queue.push('b', 'b1')
    expect(queue.shift()).toBe('a1')
    queue.push('a', 'a2')
    expect(drained(queue)).toEqual(['b1', 'a2'])
  })

  it('takes what a tenant brings into a round that goes on before the next turn of a busy one', () => {
    const queue = new FairQueue<string>(20)
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item)
    expect(queue.shift()).toBe('a1')
    queue.push('b', 'b1')
    expect(drained(queue)).toEqual(['b1', 'a2', 'a3'])
  })

  it('comes to the next turn of a busy tenant however many others keep coming', () => {
    const queue = new FairQueue<string>(20)
    for (const item of ['a1', 'a2']) queue.push('a', item)
    queue.shift()
    let others = 0
    do queue.push(`b${others}`, `b${others}`)
    while (queue.shift() !== 'a2' && ++others < 100)
    expect(others).toBeLessThanOrEqual(16)
  })

  it('is empty after a drain', () => {
    const queue = new FairQueue<string>(20)
    queue.push('a', 'a1')
    queue.push('b', 'b1')
    expect(queue.drain()).toEqual(['a1', 'b1'])
    expect(queue.waiting).toBe(0)
    expect(queue.shift()).toBeUndefined()
  })
})
