import { setTimeout as pause } from 'node:timers/promises'
import type { ModuleProcess } from '../../tools/harness/module-process.ts'
import type { Backend } from '../load/installations.ts'
import type { ExchangeStage } from './exchange-stage.ts'

type Load = typeof import('../load/mediated-wallets.ts')

export type Crowd = {
  readonly stage: ExchangeStage
  readonly load: ModuleProcess<Load>
  /** After which an actor that is not asked leaves memory. */
  readonly idleSeconds: number
}

const AT_ONCE = 64
const INSTALLED_AT_A_TIME = 1_000
/** Actors leave memory some seconds after their time. */
const LEAVING_MS = 10_000
const SETTLING_MS = 5_000

export const installCrowd = async (
  { load }: Crowd,
  backend: Backend,
  count: number,
  progress: (text: string) => void,
): Promise<void> => {
  for (let done = 0; done < count; ) {
    const some = Math.min(INSTALLED_AT_A_TIME, count - done)
    await load.call('install', backend, some, AT_ONCE)
    done += some
    progress(`${done} of ${count} wallets are registered`)
  }
}

/**
 * What an open socket takes of memory, with everything that is there because of it: before, no actor of a wallet is in
 * memory; behind it, those of the sockets are.
 */
export const memoryOfSockets = async ({ stage, load, idleSeconds }: Crowd, count: number) => {
  const { service } = stage.parts
  await pause(idleSeconds * 1_000 + LEAVING_MS)
  await stage.quiet()
  const before = (await service.call('settledMemory')).value
  const open = (await load.call('openSockets', count, 'both', AT_ONCE)).value
  await pause(SETTLING_MS)
  const after = (await service.call('settledMemory')).value
  const openAfterwards = (await load.call('openNow')).value
  if (open !== count || openAfterwards !== count)
    throw new Error(`${openAfterwards} of ${count} sockets stayed open`)
  await load.call('closeSockets')
  const grown = (mb: (memory: typeof before) => number): number => ((mb(after) - mb(before)) * 1_024) / count
  const rssKbPerSocket = grown(({ rssMb }) => rssMb)
  // What earlier work has left free of the process's own memory is used first, and does not show in its size.
  const kbPerSocket = Math.max(
    rssKbPerSocket,
    grown(({ heapMb, externalMb }) => heapMb + externalMb),
  )
  return { kbPerSocket, rssKbPerSocket }
}

/** Processor time of the service while so many wallets each ask once in so many seconds. */
export const costOfPolling = async (
  { stage, load }: Crowd,
  count: number,
  { everySeconds, seconds }: { readonly everySeconds: number; readonly seconds: number },
) => {
  await stage.quiet()
  const perS = count / everySeconds
  // Each wallet has asked once before it counts.
  await load.call('poll', count, perS, everySeconds * 1_000)
  const [beforeMs, startedMs] = [await stage.cpuMs(), performance.now()]
  const asked = (await load.call('poll', count, perS, seconds * 1_000)).value
  const cores = ((await stage.cpuMs()) - beforeMs) / (performance.now() - startedMs)
  const wrong = Object.entries(asked.statuses).filter(([status]) => status !== '200')
  if (wrong.length > 0) throw new Error(`polls were answered ${JSON.stringify(asked.statuses)}`)
  return { cores, perS: asked.perS, p99Ms: asked.latency.p99_ms }
}
