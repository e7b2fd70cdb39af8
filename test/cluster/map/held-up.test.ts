import { expect, it } from 'vitest'
import { askWhatIsHeldUp } from '../../../src/cluster/map/held-up.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const begin = () => {
  const linked = new LinkedNodes()
  const [one, two] = [askWhatIsHeldUp(linked.of('a')), askWhatIsHeldUp(linked.of('b'))]
  return { linked, one, two }
}

it('a node says for how long nothing has come of what it is to let go', async () => {
  const { one, two } = begin()
  expect(await one.of('b')).toBe(0)
  two.here(() => 61_000)
  expect(await one.of('b')).toBe(61_000)
})

it('a node that does not answer, knows no such question or says no time has said nothing', async () => {
  const { linked, one, two } = begin()
  two.here(() => Number.NaN)
  expect(await one.of('b')).toBeNull()
  two.here(() => 5)
  linked.cut('b', 'a')
  expect(await one.of('b')).toBeNull()
  expect(await one.of('older')).toBeNull()
})
