import { describe, expect, it } from 'vitest'
import { ImageRoom } from '../../../src/actors/face-check/image-room.ts'

const room = () => {
  let nowMs = 0
  const images = new ImageRoom(4_000, () => nowMs)
  const take = (checkId: string, tenant: string, bytes = 750, untilMs = 1_000) =>
    images.take({ checkId, exchangeId: `exchange of ${checkId}`, tenant, bytes, untilMs })
  return { images, take, pass: (ms: number) => void (nowMs += ms) }
}

describe('the room for images', () => {
  it('is half of it for one organisation, and all of it for all', () => {
    const { images, take } = room()
    expect([take('a', 'one'), take('b', 'one')].every((place) => place !== null)).toBe(true)
    expect(take('c', 'one')).toBeNull()
    expect([take('d', 'two'), take('e', 'two'), take('f', 'three')].map((place) => place !== null)).toEqual([
      true,
      true,
      false,
    ])
    expect(images.bytes).toBe(4_000)
  })

  it('is free again when an image has left, or its time is over, and counts a check once', () => {
    const { images, take, pass } = room()
    take('a', 'one')
    take('a', 'one')
    expect(images.bytes).toBe(1_000)
    take('b', 'one')?.leave()
    take('b', 'one')
    pass(1_000)
    expect(take('c', 'one', 1_500, 2_000)).not.toBeNull()
    expect(images.bytes).toBe(2_000)
    images.left('c')
    images.left('c')
    expect(images.bytes).toBe(0)
  })

  it('is free of images whose check is over elsewhere, when it is looked at before somebody is sent away', async () => {
    const { images, take, pass } = room()
    const asked: string[] = []
    const look = () =>
      images.look(async (exchangeId) => {
        asked.push(exchangeId.at(-1) ?? '')
        if (exchangeId.endsWith('c')) throw new Error('away')
        return exchangeId.endsWith('b')
      })
    for (const [checkId, tenant] of [
      ['a', 'one'],
      ['b', 'one'],
      ['c', 'two'],
    ] as const)
      take(checkId, tenant, 750, 10_000_000)
    // Their checks may not have begun yet.
    await look()
    expect(asked).toEqual([])
    pass(60_000)
    take('d', 'two', 750, 10_000_000)
    await Promise.all([look(), look()])
    expect(asked).toEqual(['a', 'b', 'c'])
    expect(images.bytes).toBe(3_000)
    // Once in a while.
    await look()
    expect(asked).toHaveLength(3)
    pass(5_000)
    await look()
    expect(asked.slice(3)).toEqual(['a', 'c'])
  })
})
