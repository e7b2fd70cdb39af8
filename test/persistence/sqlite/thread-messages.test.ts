import { expect, it } from 'vitest'
import { mergeGroups, runCall } from '../../../src/persistence/sqlite/thread-messages.ts'

const operations = { add: (left: number, right: number): number => left + right }

it('a call runs the operation that it names with its arguments', () => {
  expect(runCall(operations, ['add', 2, 3])).toBe(5)
})

it('a call that names no operation is wrong', () => {
  expect(() => runCall(operations, ['subtract', 2, 3])).toThrow(new TypeError('no such operation: subtract'))
})

it('groups that are merged have their slots and their calls in order', () => {
  const slots = (shard: number) => [{ numbers: Float64Array.of(shard), texts: [] }]
  const one = { slots: slots(1), calls: [['probe']] } as const
  const two = { slots: slots(2), calls: [['save', 2]] } as const
  expect(mergeGroups([one])).toBe(one)
  expect(mergeGroups([one, two])).toEqual({
    slots: [...slots(1), ...slots(2)],
    calls: [['probe'], ['save', 2]],
  })
})
