// The driver with nothing around it: so many writers at once, each with a log of its own, one conditional insert after
// the other; the same statement, the same bytes.
import { randomBytes } from 'node:crypto'
import { Client, types } from 'cassandra-driver'

const SLOTS_PER_PARTITION = 1_024
const INSERT =
  'INSERT INTO slots (log, segment, no, epoch, batch_id, events) VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS'
const GUARD = 'UPDATE slots SET retired = null WHERE log = ? AND segment = ? IF retired = null'

let client: Client | null = null
let runs = 0

export async function start(contactPoints: readonly string[], localDataCenter: string): Promise<void> {
  const options = { contactPoints: [...contactPoints], localDataCenter }
  const first = new Client(options)
  const keyspace = `baseline_${Date.now()}`
  await first.execute(
    `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', '${localDataCenter}': 1}`,
  )
  await first.execute(
    `CREATE TABLE ${keyspace}.slots (log int, segment bigint, no bigint, epoch bigint, batch_id text, events blob,
       retired boolean static, PRIMARY KEY ((log, segment), no))`,
  )
  await first.shutdown()
  client = new Client({ ...options, keyspace })
  await client.connect()
}

export async function stop(): Promise<void> {
  await client?.shutdown()
}

export async function run(writers: number, durationMs: number, bytes: number) {
  const session = client
  if (session === null) throw new Error('start first')
  const events = randomBytes(bytes)
  const firstLog = runs++ * 1_000_000
  const options = {
    prepare: true,
    consistency: types.consistencies.quorum,
    serialConsistency: types.consistencies.serial,
    isIdempotent: false,
    logged: true,
  }
  const startMs = performance.now()
  const endMs = startMs + durationMs
  let inserted = 0
  const writer = async (log: number): Promise<void> => {
    for (let no = 0; performance.now() < endMs; no++) {
      const segment = Math.floor(no / SLOTS_PER_PARTITION)
      const result = await session.batch(
        [
          { query: INSERT, params: [log, segment, no, 1, `baseline/${no}`, events] },
          { query: GUARD, params: [log, segment] },
        ],
        options,
      )
      if (!result.wasApplied()) throw new Error('a slot was taken')
      inserted++
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, log) => writer(firstLog + log)))
  return { perS: inserted / ((performance.now() - startMs) / 1_000) }
}
