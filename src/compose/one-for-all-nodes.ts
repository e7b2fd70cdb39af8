import type { ApiPorts } from '../actors/kind-ports.ts'
import { newSignInCounts } from '../actors/sign-in-lockout/attempt-counts.ts'
import { ActiveTenants } from '../actors/tenant/read.ts'
import type { RunningAttempts } from '../actors/webhook-delivery/running-attempts.ts'
import type { DurableActors } from './durable-actors.ts'
import { composeForgotten } from './forgotten.ts'

const CUT_OFF_MS_MAX = 4_000

type Durable = Pick<
  DurableActors,
  'actors' | 'bodies' | 'vault' | 'runtime' | 'cluster' | 'everywhere' | 'everyNode'
>

type Parts = {
  readonly runningAttempts: RunningAttempts
  /** Resolves when no node's lists have what the record was. */
  readonly clearedOf: (recordId: string) => Promise<void>
}

/** What each process has for itself where it is alone, and what is one for all nodes of a cluster. */
export const oneForAllNodes = (
  { actors, bodies, vault, runtime, cluster, everywhere, everyNode }: Durable,
  { runningAttempts, clearedOf }: Parts,
): Pick<ApiPorts, 'forgotten' | 'activeTenants' | 'signInCounts'> => {
  const cutOff = everyNode.work('cut-off', CUT_OFF_MS_MAX, (id) => {
    // A node that had the shard before, or took a message for it, may remember what its owner has erased.
    vault.erasedElsewhere(id)
    bodies.forget(id)
    return runningAttempts.cutOff(id)
  })
  const counts = newSignInCounts()
  return {
    forgotten: composeForgotten({ cutOff, clearedOf, keysCleaned: () => vault.cleaned(), runtime }),
    activeTenants: cluster === null ? new ActiveTenants({ actors }) : new ActiveTenants({ actors }, 0),
    signInCounts: everywhere?.countsOf(counts) ?? counts,
  }
}
