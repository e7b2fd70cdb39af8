import type { Context } from './ports.ts'

/**
 * The answer of whoever owns a shard: all nodes are asked, this one (null) as well, again and again, because a shard that
 * moves has no owner for a moment. Rejects with the signal.
 */
export const ownerAnswer = async <Answer>(
  { ports, settings }: Context,
  ask: (node: string | null) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> => {
  const found = Promise.withResolvers<Answer>()
  const asked = new Set<string | null>()
  const over = new AbortController()
  const askOne = async (node: string | null): Promise<void> => {
    asked.add(node)
    try {
      found.resolve(await ask(node))
      over.abort()
    } catch {
      // Not the owner, or not reached: it is asked again.
    } finally {
      asked.delete(node)
    }
  }
  const either = AbortSignal.any([signal, over.signal])
  while (!either.aborted) {
    for (const node of [null, ...ports.livingNodes()]) if (!asked.has(node)) void askOne(node)
    await ports.runtime.sleep(settings.againMs, either).catch(() => undefined)
  }
  if (!over.signal.aborted) found.reject(signal.reason)
  return found.promise
}
