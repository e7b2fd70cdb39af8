import { describe, expect, it } from 'vitest'
import { Work } from '../../src/host/pending-command.ts'
import { WorkQueue } from '../../src/host/pending-queue.ts'

const failed: string[] = []
const work = (name: string): Work => {
  const waiting = new Work(name, null, null, null)
  waiting.answerTo(
    () => undefined,
    () => failed.push(name),
  )
  return waiting
}
const rest = (queue: WorkQueue): readonly unknown[] => {
  const commands: unknown[] = []
  for (let next = queue.shift(); next !== null; next = queue.shift()) commands.push(next.command)
  return commands
}

describe('the queue of an actor', () => {
  it('gives commands back in the order in which they came', () => {
    const queue = new WorkQueue()
    expect(queue.isEmpty).toBe(true)
    for (const name of 'abc') queue.push(work(name))
    expect(queue.isEmpty).toBe(false)
    expect(rest(queue)).toEqual(['a', 'b', 'c'])
    queue.push(work('d'))
    expect(rest(queue)).toEqual(['d'])
    expect(queue.shift()).toBeNull()
  })

  it('takes one back to its head', () => {
    const queue = new WorkQueue()
    for (const name of 'ab') queue.push(work(name))
    const first = queue.shift()
    if (first !== null) queue.unshift(first)
    queue.push(work('c'))
    expect(rest(queue)).toEqual(['a', 'b', 'c'])
    queue.unshift(work('d'))
    queue.push(work('e'))
    expect(rest(queue)).toEqual(['d', 'e'])
  })

  it('fails everybody who waits, in order, and is empty then', () => {
    const queue = new WorkQueue()
    for (const name of 'abc') queue.push(work(name))
    queue.failAll(new Error('away'))
    expect(failed).toEqual(['a', 'b', 'c'])
    expect(queue.isEmpty).toBe(true)
  })
})
