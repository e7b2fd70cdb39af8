import { isRefused } from '../../domain/decider.ts'
import { ComesAgain } from '../../host/effects/not-begun.ts'
import type { KindPorts } from '../kind-ports.ts'
import { activeTenant } from '../tenant/read.ts'

/** How often the job of a suspended organisation looks whether it is so still. */
export const SUSPENDED_LOOK_MS = 30_000

/** The job of a suspended organisation comes again. */
export const checkActive = async (ports: Pick<KindPorts, 'actors'>, tenant: string): Promise<void> => {
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) throw new ComesAgain(active.reason, SUSPENDED_LOOK_MS)
}
