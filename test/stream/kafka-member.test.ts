import type { Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { KafkaMember } from '../../src/stream/kafka-member.ts'

type Crash = { readonly payload: { readonly error: Error; readonly restart: boolean } }

/** The library as far as a member sees it when it gives up; a broker that does so on demand cannot be had. */
const givingUp = (connectFailures: number) => {
  let crash: (event: Crash) => void = () => undefined
  const calls = { connects: 0, runs: 0, disconnects: 0 }
  const consumer = {
    on: (name: string, listener: (event: Crash) => void) => {
      if (name === 'consumer.crash') crash = listener
    },
    connect: async () => {
      calls.connects += 1
      if (calls.connects > 1 && calls.connects <= 1 + connectFailures) throw new Error('no broker')
    },
    subscribe: async () => undefined,
    run: async () => void (calls.runs += 1),
    disconnect: async () => void (calls.disconnects += 1),
  }
  const reported: unknown[] = []
  const member = new KafkaMember({ consumer: () => consumer } as unknown as Kafka, {
    topic: 'a.events',
    group: 'a.readers',
    handler: async () => undefined,
    from: null,
    report: ({ error }) => reported.push(error),
  })
  return {
    member,
    calls,
    reported,
    crash: (restart: boolean) => crash({ payload: { error: gone, restart } }),
  }
}
const gone = new Error('there is no coordinator')

it('a member whose library gave up starts again until it runs', async () => {
  const { member, calls, reported, crash } = givingUp(1)
  await member.start()
  crash(false)
  await expect.poll(() => calls.runs).toBe(2)
  expect(calls.connects).toBe(3)
  expect(reported).toEqual([gone, new Error('no broker')])
  await member[Symbol.asyncDispose]()
})

it('a member leaves a restart to its library, and starts nothing after its end', async () => {
  const { member, calls, crash } = givingUp(0)
  await member.start()
  crash(true)
  await member[Symbol.asyncDispose]()
  crash(false)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(calls).toEqual({ connects: 1, runs: 1, disconnects: 1 })
})
