import { type ParkingReport, parkingOf } from '../actors/parked-record/parking.ts'
import type { Parking, ToPark } from '../ports/parking.ts'
import type { Log } from '../telemetry/logger.ts'
import type { DurableActors } from './durable-actors.ts'

/** What lists and events go on without, reported to the log. */
export const composeParking = (
  { actors, runtime, announceParked }: Pick<DurableActors, 'actors' | 'runtime' | 'announceParked'>,
  log: Log,
): Parking => {
  const fields = (shard: number, { part, recordId, error }: ToPark) => ({
    shard,
    part,
    actor: recordId,
    error,
  })
  const report: ParkingReport = {
    parked: (shard, record) => log('record.parked', fields(shard, record)),
    full: (shard, record) => log('record.not_parked', fields(shard, record)),
    leftOut: (shard, { type, tenant, recordId }) =>
      log('record.held_too_much', { shard, kind: type, tenantId: tenant, actor: recordId }),
  }
  return parkingOf({ actors, runtime }, report, announceParked)
}
