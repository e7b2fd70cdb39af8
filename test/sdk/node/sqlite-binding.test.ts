import { expect, it } from 'vitest'
import { refuseForeignBinding } from '../../../sdk/node/sqlite-binding.ts'

it('a binding that Node 20 would die of is refused there, and is a good one on Node 22', () => {
  expect(() => refuseForeignBinding(9, '13.2.0')).toThrow('install better-sqlite3@12.11.1')
  for (const [nodeApi, version] of [
    [9, '12.11.1'],
    [10, '12.11.1'],
    [10, '13.2.0'],
  ] as const)
    expect(() => refuseForeignBinding(nodeApi, version)).not.toThrow()
})
