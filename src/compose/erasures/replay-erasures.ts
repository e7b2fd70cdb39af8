import { connection } from '../../actors/connection/rules.ts'
import { credential } from '../../actors/credential/rules.ts'
import { kinds } from '../../actors/index.ts'
import { proof } from '../../actors/proof/rules.ts'
import { KindTables } from '../../actors/tables.ts'
import { RetentionSweep } from '../../actors/tenant/retention-sweep.ts'
import { isRefused } from '../../domain/decider.ts'
import type { EraseCommand } from '../../domain/erasure.ts'
import type { FinishedRecords } from '../../ports/directory.ts'
import { isWaitedFor } from '../../ports/parking.ts'
import type { DurableActors } from '../durable-actors.ts'
import { followLists } from '../lists.ts'
import type { ServiceContext } from '../service-context.ts'
import { openAtRest, takeAll } from './at-rest.ts'
import { type ErasedLine, type ErasureLine, isErased } from './erasure-file.ts'
import { OrganisationLines } from './organisation-lines.ts'
import { patiently, TRIED_AGAIN_MS, TRIES } from './patiently.ts'
import { decideAgain, remove } from './replay-organisations.ts'

export type Replayed = {
  readonly erased: number
  /** They were erased in what was restored, too. */
  readonly erasedBefore: number
  /** They were made after the backup, so nothing of them was restored. */
  readonly unknown: number
  /** Records and organisations; the key of what was to go is deleted, but they do not say that they are erased. */
  readonly unreadable: readonly string[]
  readonly organisations: {
    readonly deleted: number
    readonly deletedBefore: number
    readonly unknown: number
    /** Some of it is left: the service goes on with that, and lets nothing of them in or out meanwhile. */
    readonly unfinished: readonly string[]
    /** Their deletion, which was ordered in what was restored. */
    readonly calledBack: number
  }
  readonly periods: number
  /** By the periods in force: what sweeps had erased since the backup. */
  readonly swept: number
}

const AT_ONCE = 32

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
  const { finished, recordsOfTenant, caughtUp } = followLists(context, durable, new KindTables(kinds))
  await takeAll(context, durable)
  const counts = { erased: 0, erasedBefore: 0, unknown: 0 }
  const unreadable: string[] = []
  const organisations = new OrganisationLines()
  await inTurn(lines, async (line) => {
    if (!isErased(line)) {
      organisations.add(line)
      return
    }
    const outcome = await eraseAgain(durable, line)
    if (outcome === 'unreadable') unreadable.push(line.recordId)
    else counts[outcome]++
  })
  const { calledBack, deletions, periods, ...decided } = await decideAgain(durable, organisations)
  // What is due is found in them, and what organisations have.
  await caughtUp()
  const unfinished: string[] = []
  // After the erasures: what was erased on request stays in the log of erasures.
  for (const organisation of deletions.done)
    if (!(await remove(durable, recordsOfTenant, organisation))) unfinished.push(organisation)
  const swept = await sweepAll(durable, finished, (shard, error) =>
    context.log('retention.failed', { shard, error }),
  )
  await caughtUp()
  return {
    ...counts,
    unreadable: [...unreadable, ...decided.unreadable],
    organisations: {
      deleted: deletions.done.length - unfinished.length,
      deletedBefore: deletions.before.length,
      unknown: deletions.unknown.length,
      unfinished,
      calledBack: calledBack.done.length,
    },
    periods: periods.done.length,
    swept,
  }
}

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
  { actors, runtime, vault }: DurableActors,
  { recordType, recordId }: ErasedLine,
  command: EraseCommand,
): Promise<'erased' | 'erasedBefore' | 'unknown'> => {
  // The three kinds have the command, their records the field and the same answer to what is not theirs.
  const ref = (references[recordType] as typeof credential).ref(recordId)
  const before = await actors.read(ref)
  const options = { commandId: `replay:${runtime.newId()}`, tenant: command.tenant }
  const after = await actors.ask(ref, command, options)
  // A request for many offers that was restored would make it once more, under the same id.
  if (isRefused(before) && recordType === 'credential') await vault.erase(recordId)
  if (isRefused(before) || isRefused(after)) return 'unknown'
  // The image of its check has a key of its own, and the check ends when the service runs.
  if (after.faceCheck !== undefined) await vault.erase(after.faceCheck.id)
  return before.erasedAtMs === null ? 'erased' : 'erasedBefore'
}

/** What sweeps had erased by its time, so that it is not there until the service has swept it again. */
const sweepAll = async (
  { actors, runtime, isOpen }: DurableActors,
  finished: FinishedRecords,
  report: (shard: number, error: unknown) => void,
): Promise<number> => {
  const failures: unknown[] = []
  const failed = (shard: number, error: unknown): void => {
    failures.push(error)
    report(shard, error)
  }
  const parts = { actors, runtime, isOpen, finished, failed, swept: () => undefined }
  const sweep = new RetentionSweep({ ...parts, firstAfterMs: null, recordsPerSecond: Infinity })
  try {
    for (let records = 0, tries = 1; ; tries++) {
      failures.length = 0
      records += await sweep.sweepNow()
      // What cannot be swept now the service tries again a minute after its start.
      if (failures.length === 0 || tries === TRIES) return records
      await runtime.sleep(TRIED_AGAIN_MS)
    }
  } finally {
    await sweep[Symbol.asyncDispose]()
  }
}
