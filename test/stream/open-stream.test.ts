import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { InProcessStream } from '../../src/stream/in-process-stream.ts'
import { openStream } from '../../src/stream/open-stream.ts'

const { stream } = loadConfig({})

it('the stream stays within the process unless the configuration says Kafka', async () => {
  expect(await openStream(stream, () => undefined)).toBeInstanceOf(InProcessStream)
})

it('a Kafka that is not there fails the start', async () => {
  const away = {
    ...stream,
    engine: 'kafka',
    kafkaBrokers: ['127.0.0.1:1'],
    kafkaRequestTimeoutMs: 500,
  } as const
  await expect(openStream(away, () => undefined)).rejects.toThrow(/ECONNREFUSED|Connection error/)
})
