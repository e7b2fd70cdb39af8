import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { changeOf, event, oneOf, textOrNull } from '../../src/actors/stored-fields.ts'

describe('the stored form of an event', () => {
  const schema = Compile(
    event('Moved', { change: changeOf(['a', 'b']), who: textOrNull, how: oneOf(['x', 'y']) }),
  )
  const good = {
    type: 'Moved',
    atMs: 1,
    change: { state: 'b', previousState: 'a', sequence: 2 },
    who: null,
    how: 'x',
  }

  it('admits what the domain says, and nothing else', () => {
    expect(schema.Check(good)).toBe(true)
    const bad = [
      { ...good, type: 'Other' },
      { ...good, atMs: -1 },
      { ...good, how: 'z' },
      { ...good, who: 5 },
      { ...good, change: { ...good.change, state: 'c' } },
      { ...good, change: { ...good.change, sequence: 0 } },
    ]
    expect(bad.map((value) => schema.Check(value))).toEqual(bad.map(() => false))
  })
})
