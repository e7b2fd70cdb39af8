import { within } from '../../timing/within.ts'
import { StoreFailure } from '../store-port.ts'
import type { KeyStore } from './key-store-port.ts'

/** Limits the time of every call and the number of calls under way; both failures are retryable. */
export const boundedKeyStore = (
  store: KeyStore,
  { timeoutMs, pendingMax }: { readonly timeoutMs: number; readonly pendingMax: number },
): KeyStore => {
  let pending = 0
  const bounded =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (pending >= pendingMax)
        throw new StoreFailure('not-applied', `${pending} calls are waiting for the key store`)
      pending++
      // A call that never answers still counts as pending: otherwise a dead store would collect calls without end.
      const running = call(...args).finally(() => pending--)
      const late = `the key store did not answer within ${timeoutMs} ms`
      return within(timeoutMs, running, () => new StoreFailure('unknown', late))
    }
  return {
    rewrapsAtOnce: store.rewrapsAtOnce,
    insertKey: bounded(store.insertKey.bind(store)),
    readKeys: bounded(store.readKeys.bind(store)),
    readKeysOf: bounded(store.readKeysOf.bind(store)),
    eraseKeys: bounded(store.eraseKeys.bind(store)),
    cleanLog: bounded(store.cleanLog.bind(store)),
    markLost: bounded(store.markLost.bind(store)),
    readTenantKey: bounded(store.readTenantKey.bind(store)),
    insertTenantKey: bounded(store.insertTenantKey.bind(store)),
    eraseTenantKey: bounded(store.eraseTenantKey.bind(store)),
    listTenantKeys: bounded(store.listTenantKeys.bind(store)),
    rewrapTenantKey: bounded(store.rewrapTenantKey.bind(store)),
    currentMaster: bounded(store.currentMaster.bind(store)),
    setCurrentMaster: bounded(store.setCurrentMaster.bind(store)),
    readMark: bounded(store.readMark.bind(store)),
    setMark: bounded(store.setMark.bind(store)),
    countedMark: bounded(store.countedMark.bind(store)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
