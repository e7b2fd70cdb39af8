import { describe, expect, it } from 'vitest'
import { TextColumn, needleOf } from '../../src/directory/text-column.ts'

const column = (...texts: string[]): TextColumn => {
  const made = new TextColumn()
  for (const [slot, text] of texts.entries()) made.insert(slot, text)
  return made
}
const holding = (texts: TextColumn, count: number, needle: string) =>
  Array.from({ length: count }, (_, slot) => slot).filter((slot) => texts.contains(slot, needleOf(needle)))

describe('a text column', () => {
  it('finds a text at the beginning, in the middle and at the end, and never across two records', () => {
    const texts = column('abc', 'cab', 'xbcx', '')
    expect(holding(texts, 4, 'bc')).toEqual([0, 2])
    expect(holding(texts, 4, 'a')).toEqual([0, 1])
    expect(holding(texts, 4, 'cc')).toEqual([])
  })

  it('finds what begins like something that does not go on', () => {
    expect(holding(column('aaab', 'aaa'), 2, 'aab')).toEqual([0])
  })

  it('keeps the order of an insertion in the middle', () => {
    const texts = column('one', 'three')
    texts.insert(1, 'two')
    expect([holding(texts, 3, 'two'), holding(texts, 3, 'three')]).toEqual([[1], [2]])
  })

  it('forgets what was replaced, by a shorter text or a longer one', () => {
    const texts = column('secret', 'other')
    texts.replace(0, 'no')
    expect([holding(texts, 2, 'ret'), holding(texts, 2, 'no')]).toEqual([[], [0]])
    texts.replace(0, 'much longer than before')
    expect([holding(texts, 2, 'longer'), holding(texts, 2, 'other')]).toEqual([[0], [1]])
  })

  it('marks what holds the needle, whether that is rare or common, also of what was replaced', () => {
    const texts = new TextColumn()
    const model: string[] = []
    for (let slot = 0; slot < 40_000; slot++) {
      model.push(slot < 20_000 ? `rare ${slot}` : `common ${slot}`)
      texts.insert(slot, model[slot] ?? '')
    }
    for (let slot = 3; slot < 40_000; slot += 777) {
      model[slot] = `${model[slot]}, longer than it was`
      texts.replace(slot, model[slot] ?? '')
    }
    for (const needle of ['common', '7', 'rare 19', '39999', 'longer', 'o', 'no such']) {
      const marks = new Uint8Array(40_000)
      const marked = texts.mark(needleOf(needle), 100, 39_990, marks)
      const expected = model.map((text, slot) =>
        Number(slot >= 100 && slot < 39_990 && text.includes(needle)),
      )
      expect([needle, [...marks]]).toEqual([needle, expected])
      expect(marked).toBe(expected.reduce((sum, one) => sum + one, 0))
    }
  })

  it('grows', () => {
    const texts = new TextColumn()
    for (let slot = 0; slot < 5_000; slot++) texts.insert(slot, `record number ${slot}`)
    expect(holding(texts, 5_000, '4321')).toEqual([4321])
    expect(texts.memoryBytes).toBeLessThan(5_000 * 60)
  })
})
