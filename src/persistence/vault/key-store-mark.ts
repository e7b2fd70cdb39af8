import { randomBytes } from 'node:crypto'
import type { KeyStore, KeyStoreMark } from './key-store-port.ts'

/** What the journal remembers of the key store that it was written with. */
export interface KeyStoreMemory {
  /** Null in a journal that no service was started on. */
  read(): Promise<KeyStoreMark | null>
  /** The first id stays, and an older count never replaces a newer one. */
  record(mark: KeyStoreMark): Promise<void>
}

/**
 * The key store beside the journal is not the one that the journal was written with, and nothing was changed. The
 * message is one sentence for the operator.
 */
export class WrongKeyStore extends Error {
  override readonly name = 'WrongKeyStore'
  readonly is: 'missing' | 'older' | 'foreign'
  constructor(is: WrongKeyStore['is'], message: string) {
    super(message)
    this.is = is
  }
}

/**
 * Without this, a service on a wrong key store would take every missing key for erased. A newer one is right: that is
 * how an older journal is restored beside the keys of today.
 */
export const checkKeyStore = (
  place: string,
  known: KeyStoreMark | null,
  found: KeyStoreMark | null,
): void => {
  if (known === null) return
  if (found === null) throw missingKeyStore(place)
  if (found.id !== known.id)
    throw new WrongKeyStore(
      'foreign',
      `The key store ${place} belongs to another journal (it is ${found.id}, this journal was written with ${known.id}): put this journal's own back.`,
    )
  if (found.count < known.count && isAcceptanceMark(known))
    throw new WrongKeyStore(
      'older',
      `The key store ${place} is being accepted as an older one, which was not ended: run vouchsafe vault accept-older again.`,
    )
  if (found.count < known.count)
    throw new WrongKeyStore(
      'older',
      `The key store ${place} is older than the journal (its count is ${found.count}, the journal has seen ${known.count}): put the newest one back, or, when there is none, run vouchsafe vault accept-older.`,
    )
}

/** No key store writes so often that it reaches the next multiple. */
const ACCEPTANCE = 2 ** 40

/**
 * What the journal knows while an older key store is being accepted: a count that no key store has. Everything that is
 * erased in the older one raises its count, which would soon pass for newer than what the journal knew before.
 */
export const acceptanceMark = (known: KeyStoreMark): KeyStoreMark =>
  isAcceptanceMark(known)
    ? known
    : { ...known, count: (Math.floor(known.count / ACCEPTANCE) + 1) * ACCEPTANCE }

export const isAcceptanceMark = ({ count }: KeyStoreMark): boolean => count > 0 && count % ACCEPTANCE === 0

export const missingKeyStore = (place: string): WrongKeyStore =>
  new WrongKeyStore(
    'missing',
    `The key store ${place} is missing, and the journal was written with one: put it back.`,
  )

/** The mark of a store that may be new; of several first starts at once, one gives it. */
export const foundMark = async (store: KeyStore): Promise<KeyStoreMark> => {
  const id = randomBytes(8).toString('hex')
  await store.setMark(null, { id, count: 1 })
  const mark = await store.readMark()
  if (mark === null) throw new Error('the key store did not keep its mark')
  return mark
}

/**
 * Lets the journal know how far the key store has come: at the start, at intervals and at the end. A backup of the keys
 * from before the last time is recognised by that; keys of the records since are unknown in it, which is an error.
 */
export const rememberedKeyStore = (store: KeyStore, memory: KeyStoreMemory, everyMs: number): KeyStore => {
  // What was written before a crash may not have been counted.
  let hasWritten = true
  const writing =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      hasWritten = true
      return write(...args)
    }
  const remember = async (): Promise<void> => {
    if (!hasWritten) return
    hasWritten = false
    try {
      const mark = await store.countedMark()
      if (mark !== null) await memory.record(mark)
    } catch (error) {
      hasWritten = true
      throw error
    }
  }
  const timer = setInterval(() => void remember().catch(() => undefined), everyMs).unref()
  return {
    ...store,
    insertKey: writing(store.insertKey.bind(store)),
    eraseKeys: writing(store.eraseKeys.bind(store)),
    eraseTenantKey: writing(store.eraseTenantKey.bind(store)),
    insertTenantKey: writing(store.insertTenantKey.bind(store)),
    rewrapTenantKey: writing(store.rewrapTenantKey.bind(store)),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      try {
        await remember()
      } finally {
        await store[Symbol.asyncDispose]()
      }
    },
  }
}
