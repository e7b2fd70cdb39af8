import { expect, it } from 'vitest'
import { actorKinds, type KindPorts } from '../../src/actors/actor-kinds.ts'
import { kinds } from '../../src/actors/index.ts'

it('every kind of record has a prefix of its own', () => {
  const prefixes = [
    ...actorKinds({} as KindPorts).map(({ kind }) => kind),
    ...kinds.map(({ prefix }) => prefix),
  ]
  expect(new Set(prefixes).size).toBe(prefixes.length)
  expect(prefixes).toEqual(
    expect.arrayContaining(['ten', 'key', 'sch', 'def', 'tpl', 'inv', 'con', 'cre', 'pro']),
  )
})
