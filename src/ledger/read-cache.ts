import { LRUCache } from 'lru-cache'

/** A bounded cache in front of reads. Callers that ask for the same id at once share one read; nulls and failures are not kept. */
export const cachedReads = <Value extends object>(
  max: number,
  read: (id: string) => Promise<Value | null>,
): ((id: string) => Promise<Value | null>) => {
  const cache = new LRUCache<string, Value>({
    max,
    fetchMethod: async (id) => (await read(id)) ?? undefined,
    // Other ids may push out one that is still being read; its readers get their answer all the same.
    ignoreFetchAbort: true,
  })
  return async (id) => (await cache.fetch(id)) ?? null
}
