import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { inspectKafka } from '../../src/stream/kafka-inspection.ts'

it('an inspection of a Kafka that is not there fails soon', async () => {
  const { stream } = loadConfig({})
  const before = performance.now()
  await expect(inspectKafka({ ...stream, kafkaBrokers: ['127.0.0.1:1'] })).rejects.toThrow(
    /ECONNREFUSED|Connection error/,
  )
  expect(performance.now() - before).toBeLessThan(15_000)
})
