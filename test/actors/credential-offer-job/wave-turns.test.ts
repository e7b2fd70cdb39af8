import { describe, expect, it } from 'vitest'
import { WaveTurns } from '../../../src/actors/credential-offer-job/wave-turns.ts'

/** Waves by their names, in the order in which they began. */
const turnsOf = () => {
  const turns = new WaveTurns()
  const begun: string[] = []
  return {
    begun,
    enter: (tenant: string, name: string) => turns.of(tenant).enter(() => begun.push(name)),
    leave: (tenant: string) => turns.of(tenant).leave(false),
  }
}

describe('the turns of waves', () => {
  it('are one at a time for an organisation, and two on the node', () => {
    const { begun, enter } = turnsOf()
    for (const name of ['a1', 'a2']) enter('a', name)
    enter('b', 'b1')
    enter('c', 'c1')
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('go around among organisations, however much one of them has waiting', () => {
    const { begun, enter, leave } = turnsOf()
    for (const name of ['a1', 'a2', 'a3']) enter('a', name)
    enter('b', 'b1')
    for (const name of ['c1', 'c2']) enter('c', name)
    leave('a')
    expect(begun).toEqual(['a1', 'b1', 'a2'])
    leave('b')
    leave('a')
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
    leave('c')
    expect(begun.at(-1)).toBe('c2')
  })

  it('leave what finds too many waiting to the journal', () => {
    const { enter } = turnsOf()
    enter('a', 'running')
    const later = Array.from({ length: 1_001 }, (_, index) => enter('a', `waiting ${index}`))
    expect(later.slice(0, 1_000)).toEqual(Array.from({ length: 1_000 }, () => null))
    expect(later[1_000]).toBeGreaterThan(0)
  })
})
