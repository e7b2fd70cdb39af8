import { setImmediate } from 'node:timers/promises'
import type { Registry } from 'prom-client'

type Value = {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly metricName?: string
}
type Figure = {
  readonly doc: string
  readonly metric: string
  readonly of: (values: readonly Value[]) => number | null
}

/** What was never counted is zero. */
const sum = (values: readonly Value[]): number => values.reduce((total, { value }) => total + value, 0)

/** Only what was answered so. */
const answered =
  (isMeant: (status: number) => boolean) =>
  (values: readonly Value[]): number =>
    sum(values.filter(({ labels }) => isMeant(Number(labels['status']))))

/** The edge of the bucket that so large a part stays below, over all that the histogram tells apart; null without any. */
const belowWhich =
  (part: number) =>
  (values: readonly Value[]): number | null => {
    const edges = new Map<number, number>()
    for (const { value, labels, metricName = '' } of values) {
      if (!metricName.endsWith('_bucket')) continue
      const edge = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le'])
      edges.set(edge, (edges.get(edge) ?? 0) + value)
    }
    const total = edges.get(Number.POSITIVE_INFINITY) ?? 0
    if (total === 0) return null
    const ordered = [...edges].toSorted(([one], [other]) => one - other)
    const [edge = Number.POSITIVE_INFINITY] = ordered.find(([, count]) => count >= total * part) ?? []
    // Longer than all edges: the last of them is all that is known.
    return Number.isFinite(edge) ? edge : (ordered.at(-2)?.[0] ?? null)
  }

/** Of all metrics those by which operators see how a node is; each is read where it stands, and nothing more is counted. */
const figures = {
  requestsInFlight: {
    doc: 'Requests that are being answered.',
    metric: 'vouchsafe_http_requests_in_flight',
    of: sum,
  },
  requestsAnswered: {
    doc: 'Requests that were answered since the start.',
    metric: 'vouchsafe_http_requests_total',
    of: sum,
  },
  serverErrors: {
    doc: 'Of these, with a status of 500 or more.',
    metric: 'vouchsafe_http_requests_total',
    of: answered((status) => status >= 500),
  },
  rateLimited: {
    doc: 'Of these, with 429.',
    metric: 'vouchsafe_http_requests_total',
    of: answered((status) => status === 429),
  },
  requestSecondsMedian: {
    doc: 'Half of these took no longer, to the edge of a bucket.',
    metric: 'vouchsafe_http_request_seconds',
    of: belowWhich(0.5),
  },
  requestSecondsP99: {
    doc: '99 of 100 of these took no longer.',
    metric: 'vouchsafe_http_request_seconds',
    of: belowWhich(0.99),
  },
  residentMemoryBytes: {
    doc: 'Memory of the process.',
    metric: 'vouchsafe_process_resident_memory_bytes',
    of: sum,
  },
  processorSeconds: {
    doc: 'Processor time since the start.',
    metric: 'vouchsafe_process_cpu_seconds_total',
    of: sum,
  },
  shardsServed: { doc: 'Shards that it serves.', metric: 'vouchsafe_actors_shards', of: sum },
  actorsInMemory: { doc: 'Records in memory.', metric: 'vouchsafe_actors_resident', of: sum },
  commandsWaiting: {
    doc: 'Commands that were taken and are not answered.',
    metric: 'vouchsafe_actors_commands_waiting',
    of: sum,
  },
  actorFaults: {
    doc: 'Failures of actors since the start.',
    metric: 'vouchsafe_actors_faults_total',
    of: sum,
  },
  recordsParked: {
    doc: 'Records that lists, events or webhooks go on without; alarm on any.',
    metric: 'vouchsafe_records_parked',
    of: sum,
  },
  keysWaiting: {
    doc: 'Credential definitions that wait until their keys are made.',
    metric: 'vouchsafe_crypto_keys_waiting',
    of: sum,
  },
  signatureSecondsP99: {
    doc: '99 of 100 signatures, verifications and keys took no longer, the wait for a thread included.',
    metric: 'vouchsafe_crypto_operation_seconds',
    of: belowWhich(0.99),
  },
  asksWaiting: {
    doc: 'Asks that wait until a node serves their shard; null for a process that is alone.',
    metric: 'vouchsafe_asks_waiting',
    of: sum,
  },
} as const satisfies Readonly<Record<string, Figure>>

const DELAY = 'How long what was due waited for its turn, when this was asked.'

/** What each figure says, for the description. */
export const figureDocs: Readonly<Record<string, string>> = {
  eventLoopDelaySeconds: DELAY,
  ...Object.fromEntries(Object.entries(figures).map(([name, { doc }]) => [name, doc])),
}

export type HealthFigures = Readonly<Record<string, number | null>>

export const readFigures = async (registry: Registry): Promise<HealthFigures> => {
  const beganMs = performance.now()
  await setImmediate()
  const eventLoopDelaySeconds = Math.round(performance.now() - beganMs) / 1_000
  // The library counts all processor time when the part of the user is asked for, and not before.
  await registry.getSingleMetric('vouchsafe_process_cpu_user_seconds_total')?.get()
  const entries = Object.entries(figures).map(async ([name, { metric, of }]: [string, Figure]) => {
    const found = await registry.getSingleMetric(metric)?.get()
    return [name, found === undefined ? null : of(found.values)] as const
  })
  return { eventLoopDelaySeconds, ...Object.fromEntries(await Promise.all(entries)) }
}
