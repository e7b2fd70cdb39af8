import { Kafka, logLevel } from 'kafkajs'
import { expect, it } from 'vitest'
import { KafkaStream } from '../../../src/stream/kafka-stream.ts'
import { recordHeaders } from '../../../src/stream/record-text.ts'
import { startKafka } from '../../../tools/infra/kafka.ts'
import { kafka } from '../../engines/engines.ts'
import { eventually } from '../../eventually.ts'
import { collector, publishUntilTaken, record, records } from './stream-suite.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

const settings = (brokers: readonly string[], topicPrefix: string) => ({
  brokers,
  topicPrefix,
  requestTimeoutMs: 5_000,
  partitions: 6,
})
const prefix = (what: string): string => `member-${what}-${process.pid}-${Date.now()}`
const patience = { timeout: 100_000 }

it('publisher and member survive the death of the broker: nothing acknowledged is lost', async () => {
  const broker = closedAtEnd(await startKafka())
  const stream = closedAtEnd(
    await KafkaStream.open({
      ...settings(broker.brokers, prefix('kill')),
      report: () => undefined,
    }),
  )
  const { handler, first } = collector()
  await stream.subscribe('readers', handler)
  await stream.publish(records('ten_a', 20))
  await expect.poll(() => first().length, patience).toBe(20)
  await broker.nodes[0]?.kill()
  const publishing = publishUntilTaken(stream, records('ten_a', 20, 20))
  await expect(stream.probe()).rejects.toThrow()
  await broker.nodes[0]?.start()
  await publishing
  await expect.poll(() => first().length, patience).toBe(40)
  expect(new Set(first())).toEqual(new Set(records('ten_a', 40).map(({ event }) => event.id)))
}, 240_000)

it('a listener hears what was published while it had to join anew, also where nothing had come before', async () => {
  const broker = closedAtEnd(await startKafka())
  const stream = closedAtEnd(
    await KafkaStream.open({
      ...settings(broker.brokers, prefix('rejoin')),
      report: () => undefined,
    }),
  )
  const heard: string[] = []
  let losses = 0
  // The broker may not lead all partitions of the new topic yet.
  closedAtEnd(
    await eventually(() =>
      stream.listen(
        (some) => void heard.push(...some.map(({ event }) => event.id)),
        () => void losses++,
      ),
    ),
  )
  await broker.nodes[0]?.kill()
  const sent = ['ten_a', 'ten_b', 'ten_c'].map((tenant) => records(tenant, 10))
  const publishing = (async () => {
    for (const some of sent) await publishUntilTaken(stream, some)
  })()
  await broker.nodes[0]?.start()
  await publishing
  await expect.poll(() => new Set(heard).size, patience).toBe(30)
  expect(new Set(heard)).toEqual(new Set(sent.flat().map(({ event }) => event.id)))
  expect(losses).toBe(0)
}, 240_000)

it('members that come and go share the records without losing one', async () => {
  const { brokers } = await kafka()
  const topicPrefix = prefix('rebalance')
  const open = () => KafkaStream.open({ ...settings(brokers, topicPrefix), report: () => undefined })
  const first = closedAtEnd(await open())
  const second = closedAtEnd(await open())
  const [one, two] = [collector(), collector()]
  await first.subscribe('readers', one.handler)
  const seen = (): number => new Set([...one.first(), ...two.first()]).size
  const publish = async (from: number): Promise<void> => {
    for (let tenant = 0; tenant < 12; tenant++) await first.publish(records(`ten_${tenant}`, 20, from))
  }
  await publish(0)
  const member = await second.subscribe('readers', two.handler)
  await publish(20)
  await expect.poll(seen, patience).toBe(480)
  await expect.poll(() => two.got.length, patience).toBeGreaterThanOrEqual(0)
  await member[Symbol.asyncDispose]()
  await publish(40)
  await expect.poll(seen, patience).toBe(720)
}, 240_000)

it('goes on where it stood after a restart, without what was committed', async () => {
  const { brokers } = await kafka()
  const topicPrefix = prefix('restart')
  const open = () => KafkaStream.open({ ...settings(brokers, topicPrefix), report: () => undefined })
  const [before, after] = [collector(), collector()]
  const first = await open()
  try {
    await first.subscribe('readers', before.handler)
    await first.publish(records('ten_a', 10))
    await expect.poll(() => before.got.length, patience).toBe(10)
  } finally {
    await first[Symbol.asyncDispose]()
  }
  const stream = closedAtEnd(await open())
  await stream.subscribe('readers', after.handler)
  await stream.publish(records('ten_a', 10, 10))
  await expect.poll(() => after.got.length, patience).toBe(10)
  expect(after.got).toEqual(records('ten_a', 10, 10))
})

it('sets aside what cannot be read and says which event it is, before it goes on', async () => {
  const { brokers } = await kafka()
  const topicPrefix = prefix('unreadable')
  const stream = closedAtEnd(
    await KafkaStream.open({ ...settings(brokers, topicPrefix), report: () => undefined }),
  )
  const { place, event } = record('ten_00aaaaaaaa', 1)
  const of = { place, event: { ...event, id: 'evt_cre_00aaaaaaaa_1', recordId: 'cre_00aaaaaaaa' } }
  const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer()
  await producer.connect()
  try {
    const newer = { value: JSON.stringify(of.event), headers: { ...recordHeaders(of), version: '2' } }
    const messages = [{ key: of.event.tenant, ...newer }]
    await producer.send({ topic: `${topicPrefix}.events`, messages })
  } finally {
    await producer.disconnect()
  }
  const aside: unknown[] = []
  const { got, handler } = collector()
  let failures = 0
  await stream.subscribe('readers', handler, async (unreadable) => {
    // What is not durable yet comes again.
    if (failures++ === 0) throw new Error('not now')
    aside.push([unreadable.event, unreadable.error.name])
  })
  await stream.publish([record('ten_00aaaaaaaa', 2)])
  await expect.poll(() => got.length, patience).toBe(1)
  const { id, type, tenant, recordId } = of.event
  expect(aside).toEqual([[{ id, type, tenant, recordId, actor: recordId }, 'UnknownVersion']])
})

it('reports a text that is no event and goes on behind it', async () => {
  const { brokers } = await kafka()
  const topicPrefix = prefix('foreign')
  const reported: string[] = []
  const stream = closedAtEnd(
    await KafkaStream.open({
      ...settings(brokers, topicPrefix),
      report: ({ during }) => reported.push(during),
    }),
  )
  const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer()
  await producer.connect()
  try {
    const messages = [{ key: 'ten_a', value: 'not ours' }]
    await producer.send({ topic: `${topicPrefix}.events`, messages })
  } finally {
    await producer.disconnect()
  }
  const { got, handler } = collector()
  await stream.subscribe('readers', handler)
  await stream.publish([record('ten_a', 1)])
  await expect.poll(() => got.length, patience).toBe(1)
  expect(reported).toContain('record')
})
