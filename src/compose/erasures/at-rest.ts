import { kinds } from '../../actors/index.ts'
import { heldIn } from '../../actors/parked-record/parking.ts'
import { type ShardsToCome, TenantRests } from '../../actors/tenant/rests.ts'
import { tenant } from '../../actors/tenant/rules.ts'
import { DIRECTORY_READER } from '../../directory/saved-positions.ts'
import { SHARD_COUNT } from '../../domain/references.ts'
import type { AnyActorDefinition } from '../../host/definition.ts'
import type { Rests } from '../../host/rests.ts'
import type { Actors } from '../../ports/actors.ts'
import { PUBLISHER } from '../../stream/shard-publisher.ts'
import { type DurableActors, openDurableActors } from '../durable-actors.ts'
import type { ServiceContext } from '../service-context.ts'

const OPEN_POLL_MS = 100

/** The actors of the journal, whose rules decide while nothing of what they owe is done. */
export const openAtRest = (context: ServiceContext): Promise<DurableActors> =>
  openDurableActors(
    context,
    () =>
      kinds.map(({ prefix, atRest }) => ({
        ...atRest,
        perform: untilStopped,
        ...(prefix === tenant.prefix && timeless),
      })),
    { projectedReader: DIRECTORY_READER, publishedReader: PUBLISHER, removesUnpublished: true },
    (actors, shard) => heldIn({ actors, runtime: context.runtime }, shard),
    restsOf,
  )

/** Resolves when this process has all of them; what reads them has to be there before. */
export const takeAll = async (
  { runtime, config }: Pick<ServiceContext, 'runtime' | 'config'>,
  durable: DurableActors,
): Promise<void> => {
  await durable.takePart()
  const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
  // On a cluster the shards come with the leases of the nodes that were stopped.
  const untilMs = runtime.monotonicMs() + 2 * config.cluster.deadAfterMs + config.operations.drainTimeoutMs
  while (!shards.every(durable.isOpen)) {
    if (runtime.monotonicMs() > untilMs)
      throw new Error('Another node has some of the shards: stop every node first.')
    await runtime.sleep(OPEN_POLL_MS)
  }
}

const TIMELESS = 'organisations'
const ALL_TIME = { fromMs: 0, untilMs: 8.64e15 }

/** An organisation that rests in what was restored loses nothing here: its deletion may have been called back since. */
const restsOf = (actors: Actors, toCome: ShardsToCome): Rests => {
  const rests = new TenantRests(actors, toCome)
  const timeless = { isResting: false, before: [ALL_TIME] }
  return { of: (group) => (group === TIMELESS ? timeless : rests.of(group)) }
}

/** A deletion that is due in what was restored may have been called back since: it begins when the service runs. */
const timeless: Pick<AnyActorDefinition, 'tenantOf' | 'waitsSince'> = {
  tenantOf: () => TIMELESS,
  waitsSince: () => 0,
}

const untilStopped: AnyActorDefinition['perform'] = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
