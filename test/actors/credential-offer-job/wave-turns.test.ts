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

  it('leave what finds too many of its organisation waiting to the journal', () => {
    const { enter } = turnsOf()
    enter('a', 'running')
    const later = Array.from({ length: 101 }, (_, index) => enter('a', `waiting ${index}`))
    expect(later.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => null))
    expect(later[100]).toBeGreaterThan(0)
  })

  it('come to an organisation however many waves of others wait', () => {
    const { begun, enter, leave } = turnsOf()
    for (let other = 0; other < 12; other++)
      for (let wave = 0; wave <= 100; wave++) enter(`other ${other}`, `other ${other}`)
    expect(enter('late', 'late')).toBeNull()
    expect(enter('late', 'late again')).toBeGreaterThan(0)
    for (let turn = 0; turn < 12; turn++) leave(begun.at(-1) ?? '')
    expect(begun).toContain('late')
  })
})
