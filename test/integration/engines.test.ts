import { Client } from 'cassandra-driver'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { cassandra, kafka } from '../engines/engines.ts'

describe('the engines of a test run', () => {
  it('are a real Cassandra 5, the same for everybody who asks', async () => {
    const [address, again] = await Promise.all([cassandra(), cassandra()])
    expect(again).toEqual(address)
    const client = new Client({
      contactPoints: [...address.contactPoints],
      localDataCenter: address.localDatacenter,
    })
    try {
      const { rows } = await client.execute('SELECT release_version FROM system.local')
      expect(String(rows[0]?.['release_version'])).toMatch(/^5\./)
    } finally {
      await client.shutdown()
    }
  })

  it('are a real Kafka that takes a record and gives it back', async () => {
    const { brokers } = await kafka()
    const client = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
    const topic = `engines-${process.pid}`
    const [producer, consumer] = [client.producer(), client.consumer({ groupId: topic })]
    const received: string[] = []
    try {
      await producer.connect()
      await producer.send({ topic, messages: [{ key: 'tenant', value: 'hello' }] })
      await consumer.connect()
      await consumer.subscribe({ topic, fromBeginning: true })
      await consumer.run({
        eachMessage: async ({ message }) => void received.push(String(message.value)),
      })
      await expect.poll(() => received, { timeout: 60_000 }).toEqual(['hello'])
    } finally {
      await consumer.disconnect()
      await producer.disconnect()
    }
  })
})
