import { Kafka, logLevel } from 'kafkajs'
import { expect, it } from 'vitest'
import { KafkaStream } from '../../../src/stream/kafka-stream.ts'
import { kafka } from '../../engines/engines.ts'
import { collector, record, records, streamSuite } from './stream-suite.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

let opened = 0
const prefixes: string[] = []

const open = async (): Promise<KafkaStream> => {
  const { brokers } = await kafka()
  const topicPrefix = `stream-${process.pid}-${Date.now()}-${++opened}`
  prefixes.push(topicPrefix)
  return KafkaStream.open({
    brokers,
    topicPrefix,
    requestTimeoutMs: 10_000,
    partitions: 3,
    report: () => undefined,
  })
}

streamSuite('over Kafka', open)

it('a record in Kafka has the organisation as its key, and its place and version as headers', async () => {
  const stream = closedAtEnd(await open())
  await stream.publish([record('ten_a', 4)])
  const { brokers } = await kafka()
  const client = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
  const topic = `${prefixes.at(-1)}.events`
  const consumer = client.consumer({ groupId: `${topic}.look` })
  const seen: unknown[] = []
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({
      eachMessage: async ({ message }) => {
        const { place, version } = message.headers ?? {}
        seen.push([String(message.key), String(place), String(version)])
      },
    })
    await expect.poll(() => seen, { timeout: 60_000 }).toEqual([['ten_a', '3,7,4', '1']])
  } finally {
    await consumer.disconnect()
  }
})

it('a page of large events goes to Kafka in several requests', async () => {
  const stream = closedAtEnd(await open())
  const { handler, first } = collector()
  await stream.subscribe('readers', handler)
  const large = records('ten_a', 40).map((each) => ({
    ...each,
    event: { ...each.event, sealed: 'x'.repeat(100_000) },
  }))
  const huge = {
    ...record('ten_a', 40),
    event: { ...record('ten_a', 40).event, sealed: 'x'.repeat(2_000_000) },
  }
  await stream.publish([...large, huge])
  await expect.poll(() => first().length, { timeout: 60_000 }).toBe(41)
})

it('a topic that was made with a lower limit of its messages is refused at the start', async () => {
  const { brokers } = await kafka()
  const topicPrefix = `low-${process.pid}-${Date.now()}`
  const topic = `${topicPrefix}.events`
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  const configEntries = [{ name: 'max.message.bytes', value: '1048588' }]
  await admin.connect()
  try {
    // The library would fail at once where the broker does not lead the new topic yet; the stream waits for that.
    await admin.createTopics({ topics: [{ topic, configEntries }], waitForLeaders: false })
  } finally {
    await admin.disconnect()
  }
  const settings = { brokers, topicPrefix, requestTimeoutMs: 10_000, partitions: 1, report: () => undefined }
  await expect(KafkaStream.open(settings)).rejects.toThrow(
    `The Kafka topic ${topic} takes messages of 1048588 bytes, and an event may have 4194304: set its max.message.bytes to 4194304 or more.`,
  )
})
