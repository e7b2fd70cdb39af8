import type { EventStream } from '../ports/stream.ts'
import type { Config } from '../config/config.ts'
import { InProcessStream } from './in-process-stream.ts'
import { KafkaStream, type KafkaStreamSettings } from './kafka-stream.ts'

/** The most nodes that can share the work; fixed once the topic exists. */
const PARTITIONS = 32

export const openStream = async (
  config: Config['stream'],
  report: KafkaStreamSettings['report'],
): Promise<EventStream> => engines[config.engine](config, report)

/** One line for each choice of the setting. */
const engines: Readonly<Record<Config['stream']['engine'], typeof openStream>> = {
  'in-process': () => Promise.resolve(new InProcessStream()),
  kafka: (config, report) =>
    KafkaStream.open({
      brokers: config.kafkaBrokers,
      topicPrefix: config.kafkaTopicPrefix,
      requestTimeoutMs: config.kafkaRequestTimeoutMs,
      partitions: PARTITIONS,
      report,
    }),
}
