import { describe, expect, it } from 'vitest'
import { fillMarked } from '../../../tools/generate/marked.ts'

const page = 'a\n<!-- generated: x -->\nold\n<!-- end: x -->\nb\n'

describe('a page with marks', () => {
  it('keeps what stands outside of them', () => {
    const filled = fillMarked(page, 'x', 'new')
    expect(filled).toBe('a\n<!-- generated: x -->\nnew\n<!-- end: x -->\nb\n')
    expect(fillMarked(filled, 'x', 'new')).toBe(filled)
  })

  it('must have both', () => {
    expect(() => fillMarked('a', 'x', 'new')).toThrow('<!-- generated: x -->')
  })
})
