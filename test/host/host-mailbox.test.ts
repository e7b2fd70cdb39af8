import { describe, expect, it } from 'vitest'
import { Mailbox, type Worker } from '../../src/host/host-mailbox.ts'
import { until } from './parts/poll.ts'

const newWorker = (work: () => void = () => undefined) => {
  const calls: string[] = []
  const worker: Worker = {
    work: () => {
      calls.push('work')
      work()
    },
    crashed: (error) => void calls.push(`crashed: ${(error as Error).message}`),
  }
  return { worker, calls }
}

describe('a mailbox', () => {
  it('gives one turn, a later one, for however many calls', async () => {
    const { worker, calls } = newWorker()
    const mailbox = new Mailbox(worker)
    for (let call = 0; call < 5; call++) mailbox.wake()
    expect(calls).toEqual([])
    await until('it worked', () => calls.length > 0)
    expect(calls).toEqual(['work'])
    mailbox.wake()
    await until('it worked again', () => calls.length > 1)
    mailbox.close()
  })

  it('gives another turn to a worker that asks for it in its turn', async () => {
    let turns = 0
    const { worker } = newWorker(() => {
      if (++turns < 3) mailbox.wake()
    })
    const mailbox = new Mailbox(worker)
    mailbox.wake()
    await until('all turns were taken', () => turns === 3)
    expect(turns).toBe(3)
    mailbox.close()
  })

  it('stops when the worker throws, says so, and goes on in a new one with what came meanwhile', async () => {
    let broken = true
    const { worker, calls } = newWorker(() => {
      mailbox.wake()
      if (broken) throw new Error('bug')
    })
    const mailbox = new Mailbox(worker)
    mailbox.wake()
    await until('it crashed', () => calls.includes('crashed: bug'))
    broken = false
    await until('it works again', () => calls.length > 2)
    expect(calls.slice(0, 3)).toEqual(['work', 'crashed: bug', 'work'])
    mailbox.close()
  })

  it('survives a worker that throws when it is told of its crash', async () => {
    let turns = 0
    const mailbox = new Mailbox({
      work: () => {
        if (++turns === 1) throw new Error('bug')
      },
      crashed: () => {
        throw new Error('another bug')
      },
    })
    mailbox.wake()
    await until('it crashed', () => turns === 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    mailbox.wake()
    await until('it works again', () => turns === 2)
    expect(turns).toBe(2)
    mailbox.close()
  })

  it('gives no turn any more when it is closed', async () => {
    const { worker, calls } = newWorker()
    const mailbox = new Mailbox(worker)
    mailbox.wake()
    mailbox.close()
    mailbox.wake()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls).toEqual([])
  })
})
