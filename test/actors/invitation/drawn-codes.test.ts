import { renderSVG } from 'uqr'
import { expect, it } from 'vitest'
import { DrawnCodes } from '../../../src/actors/invitation/drawn-codes.ts'

/** Codes that have ten characters with their text, and what was drawn. */
const codesOf = (bounds: { codesMax: number; charactersMax: number }) => {
  const drawn: string[] = []
  const codes = new DrawnCodes(bounds, (text) => {
    drawn.push(text)
    return `code of ${text}`
  })
  return { drawn, show: (...texts: string[]) => texts.map((text) => codes.of(text)) }
}

it('a code is drawn once, and each text has its own', () => {
  const { drawn, show } = codesOf({ codesMax: 10, charactersMax: 1_000 })
  expect(show('a', 'b', 'a', 'b')).toEqual(['code of a', 'code of b', 'code of a', 'code of b'])
  expect(drawn).toEqual(['a', 'b'])
})

it.each([
  ['so many', { codesMax: 2, charactersMax: 1_000 }],
  ['so much', { codesMax: 10, charactersMax: 25 }],
])('%s of what was shown last is kept', (_, bounds) => {
  const { drawn, show } = codesOf(bounds)
  show('a', 'b', 'a', 'c', 'a', 'b')
  expect(drawn).toEqual(['a', 'b', 'c', 'b'])
})

it('a code is the picture of its text', () => {
  const codes = new DrawnCodes()
  const text = 'https://here.example/i/inv_00aaaaaaaa'
  for (let each = 0; each < 2; each++) expect(codes.of(text)).toBe(renderSVG(text, { ecc: 'M', border: 4 }))
})
