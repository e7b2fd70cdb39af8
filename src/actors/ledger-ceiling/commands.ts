import { isRefused, type Refused } from '../../domain/decider.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { livingTenant, readTenant } from '../tenant/read.ts'
import { ceilingOf, type LedgerCeiling } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

/** The same write is counted once, however often it is asked for. */
export const countLedgerWrite = (
  { actors, runtime }: Ports,
  tenant: string,
  write: string,
): Promise<LedgerCeiling | Refused> =>
  actors.ask(
    ceilingOf(tenant),
    { type: 'CountLedgerWrite', atMs: runtime.now(), tenant },
    { commandId: `write:${write}`, tenant: null },
  )

export const readLedgerCeiling = async (ports: Ports, tenant: string): Promise<LedgerCeiling | Refused> => {
  const known = await readTenant(ports, tenant)
  return isRefused(known) ? known : ports.actors.read(ceilingOf(tenant))
}

export const setLedgerCeiling = async (
  ports: Ports,
  tenant: string,
  writesPerDay: number | null,
): Promise<LedgerCeiling | Refused> => {
  const { actors, runtime } = ports
  // Nothing would take it away again from an organisation whose deletion has begun.
  const known = await livingTenant(ports, tenant)
  if (isRefused(known)) return known
  return actors.ask(
    ceilingOf(tenant),
    { type: 'SetLedgerCeiling', atMs: runtime.now(), tenant, writesPerDay },
    { commandId: `ceiling:${runtime.newId()}`, tenant: null },
  )
}
