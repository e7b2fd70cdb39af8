import { expect, it } from 'vitest'
import { runCall } from '../../../src/persistence/sqlite/thread-messages.ts'

const operations = { add: (left: number, right: number): number => left + right }

it('a call runs the operation that it names with its arguments', () => {
  expect(runCall(operations, ['add', 2, 3])).toBe(5)
})

it('a call that names no operation is wrong', () => {
  expect(() => runCall(operations, ['subtract', 2, 3])).toThrow(new TypeError('no such operation: subtract'))
})
