import { describe, expect, it } from 'vitest'
import { Wiretap } from '../../../../tools/campaign/cluster/wiretap.ts'

const heardIn = (...pieces: readonly string[]): readonly string[] => {
  const wiretap = new Wiretap(['Lovelace', 'attributes'])
  const ear = wiretap.ear('a → b')
  for (const piece of pieces) ear(Buffer.from(piece))
  return wiretap.problems
}
const once = ['a → b: a text that is secret passed in clear 1 times']

describe('what passes between nodes', () => {
  it('is heard in clear, whole or in pieces, each time once', () => {
    expect(heardIn('name: Lovelace, of London')).toEqual(once)
    expect(heardIn('name: Love', 'lace, of London')).toEqual(once)
    expect(heardIn(...Array.from('name: Lovelace'))).toEqual(once)
    expect(heardIn('Lovelace', 'x', 'y', 'attribute', 's')).toEqual([
      'a → b: a text that is secret passed in clear 2 times',
    ])
  })

  it('is no secret where it only looks like one, or comes on two ways', () => {
    expect(heardIn('Love', 'l', 'Lovelac', '-e', 'attribute')).toEqual([])
    const wiretap = new Wiretap(['Lovelace'])
    wiretap.ear('a → b')(Buffer.from('Love'))
    wiretap.ear('b → a')(Buffer.from('lace'))
    expect(wiretap.problems).toEqual([])
  })

  it('proves nothing where it is nothing at all', () => {
    expect(heardIn()).toEqual(['nothing passed between the nodes'])
  })
})
