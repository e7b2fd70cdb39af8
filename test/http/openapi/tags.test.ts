import { expect, it } from 'vitest'
import { type Tag, tagsOf } from '../../../src/http/openapi/tags.ts'

const tag = (name: string): Tag => ({ name, description: 'd', group: 'For the console' })
const [first, second, own] = [tag('First'), tag('Second'), tag('Own')]

it('chapters stand in the given order, and those that only routes name behind them', () => {
  const routes = [{ tag: own }, { tag: second }, { tag: null }, { tag: own }]
  expect(tagsOf(routes, [first, second])).toEqual([first, second, own])
})
