import { isRefused } from '../../domain/decider.ts'
import { ComesAgain } from '../../host/effects/not-begun.ts'
import { BodyMissing } from '../bodies.ts'
import type { KindPorts } from '../kind-ports.ts'
import { activeTenant } from '../tenant/read.ts'
import { openItems } from './kept-items.ts'
import { ITEMS_LIFE_MS, type KeptWave } from './rules.ts'
import type { WaitingItem } from './waiting-item.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime' | 'vault' | 'bodies'>

/** How often the job of a suspended organisation looks whether it is so still. */
export const SUSPENDED_LOOK_MS = 30_000

/** The job of a suspended organisation comes again. */
export const checkActive = async (ports: Pick<Ports, 'actors'>, tenant: string): Promise<void> => {
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) throw new ComesAgain(active.reason, SUSPENDED_LOOK_MS)
}

/** Null where the key of the job is gone or lost, and where the items have waited for longer than anything is kept. */
export const itemsOf = async (
  ports: Ports,
  job: string,
  wave: Pick<KeptWave, 'body'>,
  createdAtMs: number,
): Promise<readonly WaitingItem[] | null> => {
  try {
    return await openItems(ports, job, wave)
  } catch (error) {
    if (error instanceof BodyMissing && ports.runtime.now() > createdAtMs + ITEMS_LIFE_MS) return null
    throw error
  }
}
