import { bytesOf } from '../bytes.ts'
import type { Change, Cryptography, OpenStorage, Row, SecureKeys, WalletStorage } from '../ports.ts'
import { asWalletError, WalletError } from '../wallet-error.ts'
import { FORMAT, FORMAT_ROW, formatOf, upgraded } from './formats.ts'
import { Seal } from './sealed-rows.ts'
import { storageProblem } from './storage-problem.ts'
import { lost, WalletKey } from './wallet-key.ts'

type Texts = Map<string, Map<string, string>>

/** What one step has changed so far; null for what it has removed. */
type Draft = Map<string, { readonly kind: string; readonly id: string; readonly text: string | null }>

export type Step = {
  /** Told when the step has been stored, and not at all where it has not. */
  afterwards(work: () => void): void
  /** Nothing of the step is stored. */
  giveUp(): void
}

/**
 * Everything that the wallet keeps. It changes in steps: one at a time, each stored whole or not at all. What a message
 * brought about, the answers to it and that it has been read are one step, so wherever the app is killed the wallet
 * stands between two steps, with everything that it still has to do written down.
 */
export class RowStore {
  readonly #storage: OpenStorage
  readonly #seal: Seal
  readonly #stored: Texts
  #draft: Draft | null = null
  #last: Promise<unknown> = Promise.resolve()
  #numbers = 0
  #brokenOff: WalletError | null = null

  private constructor(storage: OpenStorage, seal: Seal, stored: Texts) {
    this.#storage = storage
    this.#seal = seal
    this.#stored = stored
  }

  static async open(
    storage: WalletStorage,
    keys: SecureKeys,
    cryptography: Pick<Cryptography, 'randomBytes' | 'sealContent' | 'openContent'>,
  ): Promise<RowStore> {
    const opened = await unavailable(() => storage.open())
    try {
      const rows = await unavailable(() => opened.readAll())
      const from = formatOf(rows)
      const hasSealedRows = from !== null && from > 1
      const key = await unavailable(() => WalletKey.of(keys, storage.name, cryptography, hasSealedRows))
      const seal = new Seal(cryptography, key.value)
      const sealed = await inNewestFormat(opened, rows, from, seal)
      await unavailable(() => key.used())
      return new RowStore(opened, seal, textsOf(sealed, seal))
    } catch (error) {
      await opened.close().catch(() => undefined)
      throw error
    }
  }

  /** As the step sees it that is under way, where there is one. */
  get(kind: string, id: string): string | null {
    const drafted = this.#draft?.get(placeOf(kind, id))
    return drafted === undefined ? this.stored(kind, id) : drafted.text
  }

  all(kind: string): ReadonlyMap<string, string> {
    const stored = this.allStored(kind)
    const drafted = [...(this.#draft?.values() ?? [])].filter((each) => each.kind === kind)
    if (drafted.length === 0) return stored
    const all = new Map(stored)
    for (const { id, text } of drafted) {
      if (text === null) all.delete(id)
      else all.set(id, text)
    }
    return all
  }

  /** What has been stored, whatever a step is about to change. */
  stored(kind: string, id: string): string | null {
    return this.#stored.get(kind)?.get(id) ?? null
  }

  allStored(kind: string): ReadonlyMap<string, string> {
    return this.#stored.get(kind) ?? new Map()
  }

  put(kind: string, id: string, text: string): void {
    this.#change(kind, id, text)
  }

  remove(kind: string, id: string): void {
    this.#change(kind, id, null)
  }

  /** An id that sorts behind all that this kind has. */
  nextId(kind: string): string {
    for (const id of this.all(kind).keys()) this.#numbers = Math.max(this.#numbers, Number(id))
    this.#numbers += 1
    return String(this.#numbers).padStart(15, '0')
  }

  /** A step within a step would wait for itself. */
  step<Result>(work: (step: Step) => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(() => this.#take(work))
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /**
   * Refuses all further steps: nobody knows whether what failed was stored, or whether what is late still changes
   * something. The wallet goes on when it is opened again.
   */
  breakOff(reason: WalletError): void {
    this.#brokenOff ??= reason
  }

  get isBrokenOff(): boolean {
    return this.#brokenOff !== null
  }

  /** Behind all that was begun. What comes later is refused, and not tried on a storage that is closed. */
  close(): Promise<void> {
    const closed = this.#last.then(() => {
      this.breakOff(new WalletError('NotInitialized', 'the wallet was closed'))
      return this.#storage.close()
    })
    this.#last = closed.catch(() => undefined)
    return closed
  }

  async #take<Result>(work: (step: Step) => Promise<Result>): Promise<Result> {
    if (this.#brokenOff !== null) throw this.#brokenOff
    const draft: Draft = new Map()
    const afterwards: (() => void)[] = []
    let isGivenUp = false
    this.#draft = draft
    try {
      const result = await work({
        afterwards: (one) => void afterwards.push(one),
        giveUp: () => {
          isGivenUp = true
          draft.clear()
        },
      })
      if (isGivenUp) return result
      await this.#store(draft)
      this.#draft = null
      for (const one of afterwards) one()
      return result
    } finally {
      this.#draft = null
    }
  }

  async #store(draft: Draft): Promise<void> {
    const changed = [...draft.values()].filter(({ kind, id, text }) => text !== this.stored(kind, id))
    if (changed.length === 0) return
    const changes = changed.map(
      ({ kind, id, text }): Change => ({
        kind,
        id,
        content: text === null ? null : this.#seal.close(kind, id, text),
      }),
    )
    try {
      await written(this.#storage, changes)
    } catch (error) {
      this.breakOff(asWalletError(error))
      throw error
    }
    for (const { kind, id, text } of changed) {
      const ofKind = this.#stored.get(kind) ?? new Map<string, string>()
      if (text === null) ofKind.delete(id)
      else ofKind.set(id, text)
      this.#stored.set(kind, ofKind)
    }
  }

  #change(kind: string, id: string, text: string | null): void {
    if (this.#draft === null) throw new WalletError('Internal', `${kind} was changed outside of a step`)
    this.#draft.set(placeOf(kind, id), { kind, id, text })
  }
}

const placeOf = (kind: string, id: string): string => `${kind}\n${id}`

/** Rows of an older format are exchanged for those of the newest one, all at once. */
const inNewestFormat = async (
  storage: OpenStorage,
  rows: readonly Row[],
  from: number | null,
  seal: Seal,
): Promise<readonly Row[]> => {
  if (from === FORMAT) return rows
  const { rows: sealed, changes } = upgraded(rows, from ?? FORMAT, seal)
  const format: Row = { ...FORMAT_ROW, content: bytesOf(String(FORMAT)) }
  const check: Row = { ...CHECK_ROW, content: seal.close(CHECK_ROW.kind, CHECK_ROW.id, 'opened') }
  await written(storage, [...changes, check, format])
  return [...sealed.filter(({ kind }) => kind !== FORMAT_ROW.kind), check, format]
}

/** Tells a key that is another one from rows that are damaged. */
const CHECK_ROW = { kind: 'key-check', id: 'key-check' } as const

const textsOf = (rows: readonly Row[], seal: Seal): Texts => {
  const check = rows.find(({ kind }) => kind === CHECK_ROW.kind)
  if (check === undefined || !opens(seal, check))
    throw lost('the key in the key chain does not open this wallet', 'key_foreign')
  const texts: Texts = new Map()
  for (const row of rows) {
    if (row.kind === FORMAT_ROW.kind || row.kind === CHECK_ROW.kind) continue
    const ofKind = texts.get(row.kind) ?? new Map<string, string>()
    texts.set(row.kind, ofKind.set(row.id, seal.open(row)))
  }
  return texts
}

const opens = (seal: Seal, row: Row): boolean => {
  try {
    return seal.open(row) === 'opened'
  } catch {
    return false
  }
}

/** An adapter that knows what is wrong says it; of anything else nobody knows that something is lost. */
const unavailable = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WalletError) throw error
    throw storageProblem('storage_unavailable', 'the storage of the wallet cannot be opened', error)
  }
}

const written = async (storage: OpenStorage, changes: readonly Change[]): Promise<void> => {
  try {
    await storage.write(changes)
  } catch (error) {
    const below = error instanceof Error ? error.message : String(error)
    throw storageProblem('storage_failed', `the wallet could not store something: ${below}`, error)
  }
}
