import type { EventStream } from '../ports/stream.ts'
import type { Config } from '../config/config.ts'
import { InProcessStream } from './in-process-stream.ts'
import { connectionOf } from './kafka-client.ts'
import { KafkaStream, type KafkaStreamSettings } from './kafka-stream.ts'
import { plannedTopics } from './kafka-topics.ts'

export const openStream = async (
  config: Config['stream'],
  report: KafkaStreamSettings['report'],
): Promise<EventStream> => engines[config.engine](config, report)

/** One line for each choice of the setting. */
const engines: Readonly<Record<Config['stream']['engine'], typeof openStream>> = {
  'in-process': () => Promise.resolve(new InProcessStream()),
  kafka: (config, report) => {
    const [plan] = plannedTopics(config)
    return KafkaStream.open({
      ...connectionOf(config),
      topicPrefix: config.kafkaTopicPrefix,
      partitions: config.kafkaPartitions,
      ...(plan && { plan }),
      report,
    })
  },
}
