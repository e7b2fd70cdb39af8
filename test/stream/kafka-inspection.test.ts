import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { inspectKafka } from '../../src/stream/kafka-inspection.ts'

it('an inspection of a Kafka that is not there fails instead of waiting for it', async () => {
  const { stream } = loadConfig({})
  await expect(inspectKafka({ ...stream, kafkaBrokers: ['127.0.0.1:1'] })).rejects.toThrow(
    /ECONNREFUSED|Connection error/,
  )
}, 240_000)
