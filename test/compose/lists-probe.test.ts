import { expect, it } from 'vitest'
import { listsProbe } from '../../src/compose/lists-probe.ts'
import type { LeaseSession } from '../../src/ports/journal.ts'

const newSession = (): LeaseSession => ({
  owner: 'n1~1',
  valid: () => true,
  ended: new AbortController().signal,
})

const probed = () => {
  const at = { nowMs: 0, session: null as LeaseSession | null, areMade: false, asked: 0 }
  const probe = listsProbe({
    session: () => at.session,
    list: async () => {
      at.asked++
      if (!at.areMade) throw new Error('no node has complete lists')
      return { rows: [], total: 0 }
    },
    runtime: { monotonicMs: () => at.nowMs },
  })
  return { at, probe }
}

it('a node is ready when lists could be made once under its lease, and is not asked again', async () => {
  const { at, probe } = probed()
  await probe()
  at.session = newSession()
  await expect(probe()).rejects.toThrow('complete')
  at.areMade = true
  await probe()
  at.areMade = false
  await probe()
  expect(at.asked).toBe(2)
  at.session = newSession()
  await expect(probe()).rejects.toThrow('complete')
})

it('a node is ready after a minute all the same: one shard without an owner must not keep all from it', async () => {
  const { at, probe } = probed()
  at.session = newSession()
  await expect(probe()).rejects.toThrow()
  at.nowMs = 59_000
  await expect(probe()).rejects.toThrow()
  at.nowMs = 60_000
  await probe()
})
