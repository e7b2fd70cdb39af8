import { connection } from '../../actors/connection/rules.ts'
import { credential } from '../../actors/credential/rules.ts'
import { kinds } from '../../actors/index.ts'
import { parkedIn } from '../../actors/parked-record/parking.ts'
import { proof } from '../../actors/proof/rules.ts'
import { KindTables } from '../../actors/tables.ts'
import { setRetention } from '../../actors/tenant/commands.ts'
import { readTenant } from '../../actors/tenant/read.ts'
import { RetentionSweep } from '../../actors/tenant/retention-sweep.ts'
import { DIRECTORY_READER } from '../../directory/projector.ts'
import { isRefused } from '../../domain/decider.ts'
import type { EraseCommand } from '../../domain/erasure.ts'
import { SHARD_COUNT, shardOfActor } from '../../domain/references.ts'
import type { AnyActorDefinition } from '../../host/definition.ts'
import type { FinishedRecords } from '../../ports/directory.ts'
import { isWaitedFor } from '../../ports/parking.ts'
import { PUBLISHER } from '../../stream/shard-publisher.ts'
import { type DurableActors, openDurableActors } from '../durable-actors.ts'
import { followLists } from '../lists.ts'
import type { ServiceContext } from '../service-context.ts'
import { type ErasedLine, type ErasureLine, isErased, type PeriodLine } from './erasure-file.ts'

export type Replayed = {
  readonly erased: number
  /** They were erased in what was restored, too. */
  readonly erasedBefore: number
  /** They were made after the backup, so nothing of them was restored. */
  readonly unknown: number
  /** Their keys are deleted, but the records do not say that they are erased. */
  readonly unreadable: readonly string[]
  readonly periods: number
  /** By the periods in force: what sweeps had erased since the backup. */
  readonly swept: number
}

const AT_ONCE = 32
const TRIES = 10
const TRIED_AGAIN_MS = 1_000
const OPEN_POLL_MS = 100

/**
 * Erases again what a restored backup has brought back, while no service runs: by the rules of the records themselves,
 * with the time and the initiator that each erasure had. Ends when the lists of this node have followed. Nothing is sent;
 * what is owed then is done by the service, which tells receivers `record.erased` under the id that it had before.
 */
export const replayErasures = async (
  context: ServiceContext,
  lines: AsyncIterator<ErasureLine>,
): Promise<Replayed> => {
  const durable = await openAtRest(context)
  const { finished, caughtUpWith } = followLists(context, durable, new KindTables(kinds))
  const counts = { erased: 0, erasedBefore: 0, unknown: 0, periods: 0 }
  const unreadable: string[] = []
  /** One record of each shard, for the lists. */
  const touched = new Map<number, string>()
  await inTurn(lines, async (line) => {
    if (!isErased(line)) {
      if (await putInForce(durable, line)) counts.periods++
      return
    }
    touched.set(shardOfActor(line.recordId), line.recordId)
    const outcome = await eraseAgain(durable, line)
    if (outcome === 'unreadable') unreadable.push(line.recordId)
    else counts[outcome]++
  })
  await Promise.all([...touched.values()].map(caughtUpWith))
  const swept = await sweepAll(durable, finished, (shard, error) =>
    context.log('retention.failed', { shard, error }),
  )
  return { ...counts, unreadable, swept }
}

/** Every actor of the journal, whose rules decide while nothing of what they owe is done. */
const openAtRest = async (context: ServiceContext): Promise<DurableActors> => {
  const { runtime, config } = context
  const durable = await openDurableActors(
    context,
    () => kinds.map(({ atRest }) => ({ ...atRest, perform: untilStopped })),
    { projectedReader: DIRECTORY_READER, publishedReader: PUBLISHER },
    (actors, shard) => parkedIn({ actors, runtime }, shard),
  )
  const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
  // On a cluster the shards come with the leases of the nodes that were stopped.
  const untilMs = runtime.monotonicMs() + 2 * config.cluster.deadAfterMs + config.operations.drainTimeoutMs
  while (!shards.every(durable.isOpen)) {
    if (runtime.monotonicMs() > untilMs)
      throw new Error('Another node has some of the shards: stop every node first.')
    await runtime.sleep(OPEN_POLL_MS)
  }
  return durable
}

const untilStopped: AnyActorDefinition['perform'] = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** Some at once; after the first failure no further one is begun. */
const inTurn = async (
  lines: AsyncIterator<ErasureLine>,
  work: (line: ErasureLine) => Promise<void>,
): Promise<void> => {
  let failed = false
  const worker = async (): Promise<void> => {
    for (let next = await lines.next(); !next.done && !failed; next = await lines.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const references = { connection, credential, proof } as const

const eraseAgain = async (
  durable: DurableActors,
  line: ErasedLine,
): Promise<'erased' | 'erasedBefore' | 'unknown' | 'unreadable'> => {
  const { recordId, organisation, initiator } = line
  try {
    return await patiently(durable, () =>
      ask(durable, line, {
        type: 'EraseRecord',
        atMs: Date.parse(line.erasedAt),
        tenant: organisation,
        by: initiator,
        // Its holder went on in the time that is lost, so nothing is said to it.
        withConnection: true,
      }),
    )
  } catch (error) {
    if (isWaitedFor(error)) throw error
    await durable.vault.erase(recordId)
    return 'unreadable'
  }
}

const ask = async (
  { actors, runtime }: DurableActors,
  { recordType, recordId }: ErasedLine,
  command: EraseCommand,
): Promise<'erased' | 'erasedBefore' | 'unknown'> => {
  // The three kinds have the command, their records the field and the same answer to what is not theirs.
  const ref = (references[recordType] as typeof credential).ref(recordId)
  const before = await actors.read(ref)
  const options = { commandId: `replay:${runtime.newId()}`, tenant: command.tenant }
  const after = await actors.ask(ref, command, options)
  if (isRefused(before) || isRefused(after)) return 'unknown'
  return before.erasedAtMs === null ? 'erased' : 'erasedBefore'
}

const patiently = async <Value>(
  { runtime }: Pick<DurableActors, 'runtime'>,
  work: () => Promise<Value>,
): Promise<Value> => {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isWaitedFor(error) || tries === TRIES) throw error
      await runtime.sleep(TRIED_AGAIN_MS)
    }
  }
}

/** Unless the organisation has changed it later. */
const putInForce = async (
  durable: DurableActors,
  { organisation, retentionDays, changedAt }: PeriodLine,
): Promise<boolean> => {
  const found = await patiently(durable, async () => readTenant(durable, organisation))
  if (isRefused(found) || (found.retentionChangedAtMs ?? 0) >= Date.parse(changedAt)) return false
  await patiently(durable, () => setRetention(durable, organisation, retentionDays))
  return true
}

/** What sweeps had erased by its time, so that it is not there until the service has swept it again. */
const sweepAll = async (
  { actors, runtime, isOpen }: DurableActors,
  finished: FinishedRecords,
  failed: (shard: number, error: unknown) => void,
): Promise<number> => {
  const parts = { actors, runtime, isOpen, finished, failed, swept: () => undefined }
  const sweep = new RetentionSweep({ ...parts, firstAfterMs: null, recordsPerSecond: Infinity })
  try {
    return await sweep.sweepNow()
  } finally {
    await sweep[Symbol.asyncDispose]()
  }
}
