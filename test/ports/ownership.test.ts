import { expect, it } from 'vitest'
import { soleOwner } from '../../src/ports/journal.ts'

it('a process that has its engine to itself is always the owner, and every other is gone', async () => {
  const ownership = soleOwner('node-1/a')
  expect(ownership.session()).toMatchObject({ owner: 'node-1/a' })
  expect(ownership.session()?.valid()).toBe(true)
  expect(ownership.session()?.ended.aborted).toBe(false)
  expect([await ownership.isGone('node-1/a'), await ownership.isGone('node-1/before')]).toEqual([false, true])
})
