import { inspectCassandra } from '../../persistence/cassandra-inspection.ts'
import { inspectKafka } from '../../stream/kafka-inspection.ts'
import { type Check, broken, causeOf, fine } from './check.ts'

const CASSANDRA_MAJOR_MIN = 5
const CLOCK_AHEAD_MS_MAX = 1_000

export const cassandra: Check = {
  name: 'cassandra',
  applies: (config) => config.journal.engine === 'cassandra',
  run: async (config) => {
    const at = config.cassandra.contactPoints.join(', ')
    try {
      const { releaseVersion, nodes, clockAheadMs } = await inspectCassandra(config.cassandra)
      if (Number.parseInt(releaseVersion, 10) < CASSANDRA_MAJOR_MIN) {
        return broken(
          `${at} runs Cassandra ${releaseVersion}`,
          `the journal needs Cassandra ${CASSANDRA_MAJOR_MIN} or newer`,
        )
      }
      if (Math.abs(clockAheadMs) > CLOCK_AHEAD_MS_MAX) {
        return broken(
          `the clock of ${at} differs by ${Math.round(clockAheadMs)} ms`,
          'set the clocks of both machines by NTP',
        )
      }
      return fine(`${releaseVersion}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'} at ${at}`)
    } catch (error) {
      return broken(
        `${at} does not answer (${causeOf(error)})`,
        'start it (npm run infra -- up cassandra, for development), or mend VOUCHSAFE_CASSANDRA_CONTACT_POINTS and VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER',
      )
    }
  },
}

export const kafka: Check = {
  name: 'kafka',
  applies: (config) => config.stream.engine === 'kafka',
  run: async (config) => {
    const at = config.stream.kafkaBrokers.join(', ')
    try {
      const { clusterId, brokers } = await inspectKafka(config.stream)
      return fine(`cluster ${clusterId}, ${brokers} ${brokers === 1 ? 'broker' : 'brokers'} at ${at}`)
    } catch (error) {
      return broken(
        `${at} does not answer (${causeOf(error)})`,
        'start it (npm run infra -- up kafka, for development), or mend VOUCHSAFE_KAFKA_BROKERS',
      )
    }
  },
}
