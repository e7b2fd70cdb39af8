import { expect, it } from 'vitest'
import { askWhatIsHeldUp } from '../../../src/cluster/map/held-up.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const begin = () => {
  const linked = new LinkedNodes()
  const [one, two] = [askWhatIsHeldUp(linked.of('a')), askWhatIsHeldUp(linked.of('b'))]
  return { linked, one, two }
}

it('a node says for how long nothing has come of what is its own to do', async () => {
  const { one, two } = begin()
  const nothing = { handOffMs: 0, mapMs: 0 }
  expect(await one.of('b')).toEqual(nothing)
  const heldUp = { handOffMs: 61_000, mapMs: 300 }
  two.sayHere(() => heldUp)
  expect([await one.of('b'), two.here(), one.here()]).toEqual([heldUp, heldUp, nothing])
})

it('a node that does not answer, knows no such question or says no times has said nothing', async () => {
  const { linked, one, two } = begin()
  two.sayHere(() => ({ handOffMs: Number.NaN, mapMs: 1 }))
  expect(await one.of('b')).toBeNull()
  two.sayHere(() => ({ handOffMs: 5, mapMs: 5 }))
  linked.cut('b', 'a')
  expect(await one.of('b')).toBeNull()
  expect(await one.of('older')).toBeNull()
})
