import type { Resident } from '../residents/resident.ts'
import type { ShardContext } from '../shard-context.ts'

/** Only makes recovery shorter, and the journal smaller, so nothing waits for it and nothing fails with it. */
export const saveSnapshot = (context: ShardContext, resident: Resident): void => {
  const { actor, state } = resident
  if (resident.isSavingSnapshot || state === null) return
  const snapshot = state.snapshotDue()
  if (snapshot === null) return
  const { journal, ended } = context
  resident.isSavingSnapshot = true
  // The record does not leave memory and come back while its events go.
  resident.pin()
  const saved = state.foldsWhileAlive ? journal.fold(actor, snapshot) : journal.saveSnapshot(actor, snapshot)
  saved
    .catch((error: unknown) => {
      if (!ended.aborted) context.report('snapshot', actor, error)
    })
    .finally(() => {
      resident.isSavingSnapshot = false
      resident.unpin()
    })
}
