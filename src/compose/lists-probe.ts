import type { LeaseSession } from '../ports/journal.ts'
import type { Directory, ListQuery } from '../ports/directory.ts'
import type { Runtime } from '../ports/runtime.ts'

/** A node is ready after this time all the same: one shard that nobody can open must not keep all nodes from it. */
const AWAITED_MS_MAX = 60_000

/** No organisation has this name, so it costs next to nothing and needs all that a list needs. */
const ANY_LIST: ListQuery = {
  tenant: '',
  kind: 'connection',
  page: 1,
  pageSize: 1,
  q: null,
  states: [],
  externalId: null,
  fromMs: null,
  toMs: null,
  filters: {},
}

type Parts = {
  readonly session: () => LeaseSession | null
  readonly list: Directory['list']
  readonly runtime: Pick<Runtime, 'monotonicMs'>
}

/** Whether lists could be made since this node takes part, here or by another node: until then it is not ready. */
export const listsProbe = ({ session, list, runtime }: Parts): (() => Promise<void>) => {
  let listedIn: LeaseSession | null = null
  let awaited: { readonly session: LeaseSession; readonly sinceMs: number } | null = null
  return async () => {
    const now = session()
    if (now === null || now === listedIn) return
    if (awaited?.session !== now) awaited = { session: now, sinceMs: runtime.monotonicMs() }
    if (runtime.monotonicMs() - awaited.sinceMs < AWAITED_MS_MAX) await list(ANY_LIST)
    listedIn = now
  }
}
