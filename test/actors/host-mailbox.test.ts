import { describe, expect, it } from 'vitest'
import { type Dweller, Mailboxes, stopMailbox, wakeUp } from '../../src/actors/host-mailbox.ts'
import { until } from './parts/poll.ts'

const newDweller = (wake: () => void = () => undefined) => {
  const calls: string[] = []
  const dweller: Dweller = {
    actor: 'acc_00aaaaaaaa',
    wake: () => {
      calls.push('wake')
      wake()
    },
    crashed: (error) => void calls.push(`crashed: ${(error as Error).message}`),
    stopped: () => void calls.push('stopped'),
  }
  return { dweller, calls }
}

describe('a mailbox', () => {
  it('wakes its dweller in a later turn', async () => {
    const mailboxes = new Mailboxes()
    const { dweller, calls } = newDweller()
    wakeUp(mailboxes.openShard(0).open(dweller), dweller)
    expect(calls).toEqual([])
    await until('it woke', () => calls.length > 0)
    mailboxes.close()
  })

  it('stops when its dweller throws, says so, and then confirms that its name is free', async () => {
    const mailboxes = new Mailboxes()
    const shard = mailboxes.openShard(0)
    const { dweller, calls } = newDweller(() => {
      throw new Error('bug')
    })
    wakeUp(shard.open(dweller), dweller)
    await until('it stopped', () => calls.includes('stopped'))
    expect(calls).toEqual(['wake', 'crashed: bug', 'stopped'])
    const next = newDweller()
    wakeUp(shard.open(next.dweller), next.dweller)
    await until('the next one woke', () => next.calls.length > 0)
    mailboxes.close()
  })

  it('confirms a stop', async () => {
    const mailboxes = new Mailboxes()
    const { dweller, calls } = newDweller()
    stopMailbox(mailboxes.openShard(0).open(dweller))
    await until('it stopped', () => calls.length > 0)
    expect(calls).toEqual(['stopped'])
    mailboxes.close()
  })

  it('wakes nobody any more when its shard is closed', async () => {
    const mailboxes = new Mailboxes()
    const shard = mailboxes.openShard(0)
    const { dweller, calls } = newDweller()
    const mailbox = shard.open(dweller)
    shard.close()
    wakeUp(mailbox, dweller)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls).toEqual([])
    mailboxes.close()
  })

  it('can have the same shard again after it was closed', () => {
    const mailboxes = new Mailboxes()
    mailboxes.openShard(0)
    expect(() => mailboxes.openShard(0)).not.toThrow()
    mailboxes.close()
  })
})
