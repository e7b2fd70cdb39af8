import { isRefused, type Refused } from '../../domain/decider.ts'
import { eraseRecord, type ToErase } from '../ending-routes.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { TenantRests } from '../tenant/rests.ts'
import { HOLDER } from './closing.ts'
import { FAREWELL_MS_MAX, sayFarewell } from './farewell.ts'
import { connection, noConnection } from './rules.ts'
import type { ConnectionRecord } from './state.ts'

export type ErasurePorts = Pick<
  ApiPorts,
  'actors' | 'runtime' | 'vault' | 'directory' | 'deliver' | 'forgotten'
>
type Erased = ConnectionRecord | Refused

/**
 * Closes a connection, lets its holder hear so, and erases it; the erasure of its exchanges is owed from then on. Who
 * asks while that is under way has the same answer, so that the holder hears it once. One that was cut off is finished
 * without a further word: the holder may have had it.
 */
export const connectionErasures = (ports: ErasurePorts): ((asked: ToErase) => Promise<Erased>) => {
  const underWay = new Map<string, Promise<Erased>>()
  // Nothing is kept for a moment: the order to delete the organisation may have come through any node.
  const rests = new TenantRests(ports.actors, null, 0)
  return async (asked) => {
    const { tenant, id } = asked
    const record = await ownRecord(ports, connection, tenant, id)
    if (record === null) return noConnection
    const erasing =
      underWay.get(id) ?? erase({ ...ports, rests }, asked, record).finally(() => underWay.delete(id))
    underWay.set(id, erasing)
    return erasing
  }
}

const erase = async (
  ports: ErasurePorts & { readonly rests: TenantRests },
  asked: ToErase,
  record: ConnectionRecord,
): Promise<Erased> => {
  const { actors, runtime } = ports
  const { tenant, id, by } = asked
  const close = { type: 'CloseConnection', atMs: Math.floor(runtime.now()), tenant, by } as const
  const options = { commandId: `close:${runtime.newId()}`, tenant }
  const closed = record.status === 'closed' ? record : await actors.ask(connection.ref(id), close, options)
  if (isRefused(closed)) return closed
  if (record.status !== 'closed' && closed.updatedAtMs === close.atMs) {
    // Operators may erase in an organisation that is to be deleted, of which nothing is sent.
    const rest = await ports.rests.of(tenant)
    if (rest?.isResting !== true) await sayFarewell(ports, id, record)
  } else await untilTold(ports, id, closed)
  return eraseRecord(ports, connection, 'connection', asked)
}

const LOOK_AGAIN_MS = 50

/** Another node may be telling the holder at this moment, with keys that go afterwards; it may also have died. */
const untilTold = async (
  { actors, runtime }: Pick<ErasurePorts, 'actors' | 'runtime'>,
  id: string,
  closed: ConnectionRecord,
): Promise<void> => {
  const untilMs = runtime.monotonicMs() + FAREWELL_MS_MAX
  const isTelling = ({ erasedAtMs, closing }: ConnectionRecord): boolean =>
    erasedAtMs === null && closing?.by !== HOLDER
  for (let record: ConnectionRecord | Refused = closed; !isRefused(record) && isTelling(record); ) {
    if (runtime.monotonicMs() >= untilMs) return
    await runtime.sleep(LOOK_AGAIN_MS)
    record = await actors.read(connection.ref(id))
  }
}
