// A route beside the others that tells how long its request waited before the service took it up.
import { hrtime } from 'node:process'
import { defineRawRoute } from '../../src/http/route/route.ts'

export const QUEUE_WAIT_PATH = '/bench/queue-wait'

/** The system's monotonic clock, the same in all processes of a machine. */
export const nowNs = (): string => hrtime.bigint().toString()

export const queueWaitRoute = defineRawRoute({
  method: 'GET',
  path: `${QUEUE_WAIT_PATH}/{sentNs}`,
  operationId: 'benchQueueWait',
  summary: 'Time from the sending of a request to its turn',
  errors: [],
  raw: {
    contentTypes: [],
    handle: ({ params }) => ({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: String(hrtime.bigint() - BigInt(params['sentNs'] ?? '0')),
    }),
  },
})
