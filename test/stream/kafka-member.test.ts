import type { ConsumerRunConfig, Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { KafkaMember } from '../../src/stream/kafka-member.ts'
import { record } from '../contract/stream/stream-suite.ts'

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
    sole: null,
    setAside: null,
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

type Join = { readonly payload: { readonly memberAssignment: Readonly<Record<string, readonly number[]>> } }
type Batch = Parameters<NonNullable<ConsumerRunConfig['eachBatch']>>[0]

/** The library as far as a listener sees it: when it joins, where it is told to go on, and what it hands over. */
const listening = async (from: readonly { readonly partition: number; readonly offset: string }[]) => {
  let join: (event: Join) => void = () => undefined
  let eachBatch: (batch: Batch) => Promise<void> = async () => undefined
  let seeks: (readonly [number, string])[] = []
  const seen = { heard: [] as string[], lost: 0 }
  const consumer = {
    on: (name: string, listener: (event: Join) => void) => {
      if (name === 'consumer.group_join') join = listener
    },
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async (config: Required<ConsumerRunConfig>) => void (eachBatch = config.eachBatch),
    seek: ({ partition, offset }: { partition: number; offset: string }) =>
      void seeks.push([partition, offset]),
    commitOffsets: async () => undefined,
    disconnect: async () => undefined,
  }
  const member = new KafkaMember({ consumer: () => consumer } as unknown as Kafka, {
    topic: 'a.events',
    group: 'a.listener',
    handler: async (some) => void seen.heard.push(...some.map(({ event }) => event.id)),
    sole: { from, lost: () => void seen.lost++ },
    setAside: null,
    report: () => undefined,
  })
  await member.start()
  /** One message of the text of an event at each offset; `end` is the end of the partition. */
  const hand = (partition: number, offsets: readonly number[], end = (offsets.at(-1) ?? 0) + 1) => {
    const messages = offsets.map((offset) => ({
      offset: String(offset),
      value: Buffer.from(JSON.stringify(record(`p${partition}`, offset).event)),
      headers: { place: '3,7,1' },
    }))
    return eachBatch({
      batch: { topic: 'a.events', partition, messages, highWatermark: String(end) },
      isRunning: () => true,
      isStale: () => false,
      resolveOffset: () => undefined,
      heartbeat: async () => undefined,
    } as unknown as Batch)
  }
  const joined = (...partitions: readonly number[]): readonly (readonly [number, string])[] => {
    seeks = []
    join({ payload: { memberAssignment: { 'a.events': partitions } } })
    return seeks
  }
  return { member, seen, hand, joined }
}

it('a listener goes on where it stood itself after every join, also where nothing came yet', async () => {
  const { member, seen, hand, joined } = await listening([
    { partition: 0, offset: '10' },
    { partition: 1, offset: '20' },
  ])
  expect(joined(0, 1)).toEqual([
    [0, '10'],
    [1, '20'],
  ])
  await hand(0, [10, 11])
  expect(joined(0, 1, 2)).toEqual([
    [0, '12'],
    [1, '20'],
    [2, '0'],
  ])
  await hand(0, [11, 12], 13)
  expect(seen).toEqual({ heard: ['evt_p0_10', 'evt_p0_11', 'evt_p0_12'], lost: 0 })
  await member[Symbol.asyncDispose]()
})

it('a listener says when records are missing: the next is a later one, or the partition has begun anew', async () => {
  const { member, seen, hand, joined } = await listening([
    { partition: 0, offset: '10' },
    { partition: 1, offset: '20' },
  ])
  joined(0, 1)
  await hand(0, [11])
  expect(seen).toEqual({ heard: ['evt_p0_11'], lost: 1 })
  await hand(0, [12])
  await hand(1, [0, 1])
  expect(seen).toEqual({ heard: ['evt_p0_11', 'evt_p0_12', 'evt_p1_0', 'evt_p1_1'], lost: 2 })
  await member[Symbol.asyncDispose]()
})
