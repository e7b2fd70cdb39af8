import { LRUCache } from 'lru-cache'

/** Where what was found outlives the process. */
export type KeptReads<Value> = {
  readonly get: (id: string) => Promise<Value | null>
  readonly put: (id: string, value: Value) => Promise<void>
}

type Settings<Value> = {
  readonly max: number
  /** For how long what was not there is not asked for again. */
  readonly absentMs: number
  readonly kept: KeptReads<Value>
  readonly read: (id: string) => Promise<Value | null>
}

export type CachedReads<Value> = {
  readonly read: (id: string) => Promise<Value | null>
  /** The same, and what was not there a moment ago is asked for: before anything is written. */
  readonly fresh: (id: string) => Promise<Value | null>
  /** What was written just now. */
  readonly put: (id: string, value: Value) => Promise<void>
}

export const keepsNothing = {
  get: (): Promise<null> => Promise.resolve(null),
  put: (): Promise<void> => Promise.resolve(),
}

/**
 * A bounded cache in front of reads of what never changes. Callers that ask for the same id at once share one read;
 * absence is known for a moment only, and failures are not kept.
 */
export const cachedReads = <Value extends object>(settings: Settings<Value>): CachedReads<Value> => {
  const { max, absentMs, kept, read } = settings
  const absent = new LRUCache<string, true>({ max, ttl: absentMs })
  const found = async (id: string): Promise<Value | undefined> => {
    const known = await kept.get(id)
    if (known !== null) return known
    const asked = await read(id)
    if (asked === null) return undefined
    await kept.put(id, asked)
    return asked
  }
  const cache = new LRUCache<string, Value>({
    max,
    fetchMethod: found,
    // Other ids may push out one that is still being read; its readers get their answer all the same.
    ignoreFetchAbort: true,
  })
  return {
    read: async (id) => {
      if (absent.get(id) === true) return null
      const value = await cache.fetch(id)
      if (value === undefined) absent.set(id, true)
      return value ?? null
    },
    fresh: async (id) => {
      const value = cache.get(id) ?? (await found(id))
      if (value === undefined) return null
      absent.delete(id)
      cache.set(id, value)
      return value
    },
    put: async (id, value) => {
      absent.delete(id)
      cache.set(id, value)
      await kept.put(id, value)
    },
  }
}
