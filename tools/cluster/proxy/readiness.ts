import { setTimeout as pause } from 'node:timers/promises'
import type { ProxiedNode } from './nodes.ts'

const EVERY_MS = 250
const LIMIT_MS = 2_000
/** A node that says no, or is not there, is out at once; one that is late may only be busy. */
const LATE_MAX = 3

/** Asks a node again and again whether it is ready, until the signal ends it. */
export const watchReadiness = async (node: ProxiedNode, signal: AbortSignal): Promise<void> => {
  for (let late = 0; !signal.aborted; ) {
    const answer = await ask(node.address.readyUrl, signal)
    late = answer === 'late' ? late + 1 : 0
    if (answer !== 'late' || late >= LATE_MAX) node.isUp = answer === 'ready'
    await pause(EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

const ask = async (url: string, signal: AbortSignal): Promise<'ready' | 'not ready' | 'late'> => {
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, limit]) })
    await answer.arrayBuffer()
    return answer.ok ? 'ready' : 'not ready'
  } catch {
    return limit.aborted ? 'late' : 'not ready'
  }
}
