import { describe, expect, it } from 'vitest'
import { saidAfter, saidIn, stepsText } from '../../src/directory/said-text.ts'

const HOUR_MS = 3_600_000
type Told = readonly (readonly [hour: number, step: number])[]
const textOf = (said: Told, firstHour: number): string =>
  stepsText(
    said.map(([hour, step]) => [`${step}`, hour * HOUR_MS + 59_000]),
    Number,
    firstHour,
  )

describe('what a record went through', () => {
  const said: Told = [
    [494_000, 1],
    [494_000, 12],
    [494_001, 3],
    [494_001, 1],
    [494_000, 4],
  ]

  it('is short where it took an hour, and read as it was written', () => {
    expect(textOf(said, 494_000)).toBe('1,12;1:3,1;0:4')
    expect(textOf(said, 494_003)).toBe('-3:1,12;-2:3,1;-3:4')
    for (const firstHour of [494_000, 494_001, 494_003])
      expect(saidIn(textOf(said, firstHour), firstHour)).toEqual(said)
    expect(saidIn(textOf([], 5), 5)).toEqual([])
  })

  it('is read from where it was known to, and anew where it goes on from something else', () => {
    for (const firstHour of [494_000, 494_003])
      for (let known = 0; known <= said.length; known++) {
        const earlier = textOf(said.slice(0, known), firstHour)
        expect(saidAfter(earlier, textOf(said, firstHour), firstHour)).toEqual(
          earlier === textOf(said, firstHour) ? null : said.slice(known),
        )
      }
    expect(saidAfter('1,1', '1,12', 0)).toBeNull()
    expect(saidAfter('2', '1,2', 0)).toBeNull()
    expect(saidAfter('1,2', '1', 0)).toBeNull()
  })
})
