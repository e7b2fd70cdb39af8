import { describe, expect, it } from 'vitest'
import { saidIn, textOf } from '../../src/directory/said-text.ts'

describe('what a record went through', () => {
  it('is short where it took an hour, and read as it was written', () => {
    const said = [
      [494_000, 1],
      [494_000, 2],
      [494_001, 3],
      [494_000, 4],
    ] as const
    expect(textOf(said)).toBe('494000:1,2;494001:3;494000:4')
    expect(saidIn(textOf(said))).toEqual(said)
    expect(saidIn(textOf([]))).toEqual([])
  })
})
