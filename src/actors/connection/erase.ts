import { isRefused, type Refused } from '../../domain/decider.ts'
import type { Eraser } from '../../domain/exchange.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { sayFarewell } from './farewell.ts'
import { connection, noConnection } from './rules.ts'
import type { ConnectionRecord } from './state.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'deliver'>
type Asked = { readonly tenant: string; readonly id: string; readonly by: Eraser }
type Erased = ConnectionRecord | Refused

/**
 * Closes a connection, lets its holder hear so, and erases it; the erasure of its exchanges is owed from then on. Who
 * asks while that is under way has the same answer, so that the holder hears it once. One that was cut off is
 * finished without a further word: the holder may have had it.
 */
export const connectionErasures = (ports: Ports): ((asked: Asked) => Promise<Erased>) => {
  const underWay = new Map<string, Promise<Erased>>()
  return async (asked) => {
    const { tenant, id } = asked
    const record = await ownRecord(ports, connection, tenant, id)
    if (record === null) return noConnection
    const erasing = underWay.get(id) ?? erase(ports, asked, record).finally(() => underWay.delete(id))
    underWay.set(id, erasing)
    return erasing
  }
}

const erase = async (ports: Ports, { tenant, id, by }: Asked, record: ConnectionRecord): Promise<Erased> => {
  const { actors, runtime } = ports
  const ref = connection.ref(id)
  if (record.status !== 'closed') {
    const close = { type: 'CloseConnection', atMs: runtime.now(), tenant, by } as const
    const closed = await actors.ask(ref, close, { commandId: `close:${id}`, tenant })
    if (isRefused(closed)) return closed
    await sayFarewell(ports, id, record)
  }
  const command = { type: 'EraseRecord', atMs: runtime.now(), tenant, by } as const
  return actors.ask(ref, command, { commandId: `erase:${id}`, tenant })
}
