import { randomBytes } from 'node:crypto'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { EndorsementMode } from '../../domain/publishing.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { livingTenant, readTenant } from './read.ts'
import { deletesAtMs, noSuchTenant, tenant, type TenantRates, type TenantRecord } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

/** The same id again finds the organisation that is there. */
export const createTenant = async (
  { actors, runtime, identityOf }: Ports & Pick<ApiPorts, 'identityOf'>,
  name: string,
  id: string = newRef(tenant, runtime),
): Promise<{ readonly id: string; readonly tenant: TenantRecord } | Refused> => {
  if (name.trim() === '' || Array.from(name).length > 200)
    return refuse('invalid_request', 'name must have 1 to 200 characters.')
  const seed = randomBytes(32)
  const { did, verkey } = identityOf(seed)
  const record = await actors.ask(
    tenant.ref(id),
    { type: 'CreateTenant', atMs: runtime.now(), name, did, verkey, seed: seed.toString('base64url') },
    { commandId: `create:${id}`, tenant: null },
  )
  return isRefused(record) ? record : { id, tenant: record }
}

/** Its keys and sessions are refused from the next request on; messages of its holders and timers go on. */
export const suspendTenant = async (
  ports: Ports & Pick<ApiPorts, 'activeTenants'>,
  id: string,
): Promise<TenantRecord | Refused> => {
  try {
    return await change(ports, id, 'SuspendTenant')
  } finally {
    ports.activeTenants.forget(id)
  }
}

export const resumeTenant = (ports: Ports, id: string): Promise<TenantRecord | Refused> =>
  change(ports, id, 'ResumeTenant')

/** Suspended from now on, and after seven days all of it goes; until then it can be restored. */
export const orderDeletion = async (
  ports: Ports & Pick<ApiPorts, 'activeTenants'>,
  id: string,
  name: string,
): Promise<TenantRecord | Refused> => {
  const known = await livingTenant(ports, id)
  if (isRefused(known)) return known
  // The name of one whose key is lost is gone with it.
  if (name !== (known.name ?? id))
    return refuse('invalid_request', 'name must be the name of the organisation; its id, where it has none.')
  try {
    return await change(ports, id, 'OrderDeletion')
  } finally {
    ports.activeTenants.forget(id)
  }
}

/** It goes on where it was, as long as its deletion has not begun. */
export const restoreTenant = (ports: Ports, id: string, atMs?: number): Promise<TenantRecord | Refused> =>
  change(ports, id, 'RestoreTenant', atMs)

/** Without the days in which it could be called back, because they were over in a time that is lost. */
export const beginDeletion = async (
  ports: Ports,
  id: string,
  orderedAtMs: number,
): Promise<TenantRecord | Refused> => {
  const ordered = await change(ports, id, 'OrderDeletion', orderedAtMs)
  const dueMs = isRefused(ordered) ? null : deletesAtMs(ordered)
  return dueMs === null ? ordered : change(ports, id, 'BeginDeletion', dueMs)
}

const change = async (
  { actors, runtime }: Ports,
  id: string,
  type: 'SuspendTenant' | 'ResumeTenant' | 'OrderDeletion' | 'RestoreTenant' | 'BeginDeletion',
  atMs = runtime.now(),
): Promise<TenantRecord | Refused> => {
  const ref = tenant.find(id)
  if (ref === null) return noSuchTenant
  return actors.ask(ref, { type, atMs }, { commandId: runtime.newId(), tenant: null })
}

/** What is left out stays. From the next request on; another node of a cluster knows it by then. */
export const setTenantRates = async (
  { actors, runtime, activeTenants }: Ports & Pick<ApiPorts, 'activeTenants'>,
  id: string,
  changed: Partial<TenantRates>,
): Promise<TenantRecord | Refused> => {
  const known = await readTenant({ actors }, id)
  if (isRefused(known)) return known
  const command = { type: 'SetTenantRates', atMs: Math.floor(runtime.now()), ...changed } as const
  try {
    const commandId = `rates:${runtime.newId()}`
    return await actors.ask(tenant.ref(id), command, { commandId, tenant: null })
  } finally {
    activeTenants.forget(id)
  }
}

export const setRetention = (
  { actors, runtime }: Ports,
  id: string,
  retentionDays: number,
  atMs = runtime.now(),
): Promise<TenantRecord | Refused> =>
  actors.ask(
    tenant.ref(id),
    { type: 'SetRetention', atMs, retentionDays },
    { commandId: `retention:${runtime.newId()}`, tenant: id },
  )

/** For what it orders from now on; what is under way goes on as it began. */
export const setEndorsementMode = async (
  { actors, runtime }: Ports,
  id: string,
  endorsement: EndorsementMode,
): Promise<TenantRecord | Refused> => {
  const ref = tenant.find(id)
  if (ref === null) return noSuchTenant
  const command = { type: 'SetEndorsementMode', atMs: runtime.now(), endorsement } as const
  return actors.ask(ref, command, { commandId: `endorsement:${runtime.newId()}`, tenant: null })
}
