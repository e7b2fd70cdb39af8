import type { Database } from 'better-sqlite3'
import type { DirectoryRow } from '../ports/directory.ts'
import {
  type Applied,
  epochOfRev,
  type ReplicaState,
  type Rev,
  type RowKey,
  type RowsAtOwner,
  type ShardRev,
  type TermToOpen,
  type WantedChanges,
} from '../ports/list-replicas.ts'
import {
  type Changes,
  decodedAnswers,
  decodedRows,
  encoded,
  keyOf,
  type Parted,
  type PlainCells,
  type RowCells,
  rowOfCells,
  type ShardAnswer,
} from './change-codec.ts'
import { ErasedRows } from './erased-rows.ts'
import type { Change } from './record-writer.ts'
import { prepare, type StoredCells } from './replica-statements.ts'
import { ReplicaStates } from './replica-states.ts'

/** Of one answer: a few milliseconds of either thread, in which lists wait. */
const LIMITS = { rows: 512, bytes: 262_144 }
/** More rows in question are not asked for one by one: the shard is filled anew. */
const IN_QUESTION_MAX = 512

export type ReplicaParts = {
  /** Each runs inside the transaction of the caller. */
  readonly put: (row: DirectoryRow, change: Change) => void
  readonly remove: (rows: readonly number[]) => void
  /** What a deleted organisation keeps; undefined of any other id. */
  readonly endedBut: (id: string) => readonly string[] | undefined
  /** What a row was through, by names. */
  readonly stepsIn: (text: string, createdMs: number) => NonNullable<RowCells[12]>
}

/** The rows of all shards as copies that follow their owners' files. Every method runs inside a transaction of the caller. */
export class Replicas {
  readonly #sql: ReturnType<typeof prepare>
  readonly #parts: ReplicaParts
  readonly states: ReplicaStates
  readonly erased = new ErasedRows()

  constructor(database: Database, parts: ReplicaParts) {
    this.#sql = prepare(database)
    this.#parts = parts
    this.states = new ReplicaStates(database)
  }

  list(): readonly ReplicaState[] {
    return this.states.all().map(({ shard, rev, filling }) => ({ shard, rev, isWhole: filling === 0 }))
  }

  changesAfter(
    wanted: readonly WantedChanges[],
    limits: typeof LIMITS = LIMITS,
  ): { readonly bytes: Uint8Array; readonly isCut: boolean } | null {
    const answers: ShardAnswer[] = []
    const room = { ...limits }
    let isCut = false
    for (const each of wanted) {
      if (room.rows <= 0 || room.bytes <= 0) {
        isCut = true
        break
      }
      const answer = this.#changes(each, room)
      if (answer === null) continue
      answers.push(answer)
      if ('upTo' in answer && answer.upTo < answer.newest) isCut = true
    }
    return answers.length === 0 ? null : { bytes: encoded(answers), isCut }
  }

  #changes(
    { shard, rev: after, isFilling = false }: WantedChanges,
    room: { rows: number; bytes: number },
  ): ShardAnswer | null {
    const state = this.states.of(shard)
    const { rev: newest } = state
    if (state.filling === 1 || newest === after) return null
    const parting = this.states.partingFrom(shard, after, isFilling, state)
    if (parting.kind === 'ahead') return null
    if (parting.kind === 'back') return { shard, newest, parted: 'back', to: parting.to }
    if (parting.kind === 'anew') return { shard, newest, parted: 'anew' }
    const found = this.#sql.after.all(shard, after, room.rows)
    const rows: RowCells[] = []
    for (const cells of found) {
      if (room.bytes <= 0) break
      rows.push(this.#cells(cells))
      room.bytes -= 128 + cells[2].length + cells[3].length + cells[7].length + 3 * cells[9].length
    }
    const isAll = rows.length === found.length && found.length < room.rows
    room.rows -= rows.length
    const upTo = isAll ? newest : (rows.at(-1)?.[0] ?? after)
    const gone = after === 0 ? [] : this.states.tombstones(shard, after, upTo)
    const position = isAll ? (this.#sql.position.get(shard) ?? null) : null
    const terms = epochOfRev(after) === epochOfRev(upTo) ? [] : this.states.terms(shard)
    return { shard, after, upTo, newest, position, floor: state.floor, rows, gone, terms }
  }

  #cells(stored: StoredCells): RowCells {
    const steps = stored[11] === null ? null : this.#parts.stepsIn(stored[11], stored[4])
    const cells = stored.slice(0, 11) as unknown as PlainCells
    return [...cells, this.#parts.endedBut(cells[2]) ?? null, steps]
  }

  apply(bytes: Uint8Array): readonly Applied[] {
    return decodedAnswers(bytes).map((answer) =>
      'parted' in answer ? this.#parted(answer) : this.#applyChanges(answer),
    )
  }

  /** Only a file that is ahead of this one can say that this one's history is not the one that goes on. */
  #parted(answer: Parted): Applied {
    const { shard, newest } = answer
    const { rev, filling } = this.states.of(shard)
    const outcome = newest > rev ? answer.parted : 'ignored'
    const to = answer.parted === 'back' ? this.states.lastShared(shard, answer.to) : 0
    return { shard, rev, newest, outcome, to, isFilling: filling === 1 }
  }

  #applyChanges({ shard, after, upTo, newest, position, floor, rows, gone, terms }: Changes): Applied {
    const state = this.states.of(shard)
    const told = { shard, newest, to: 0, isFilling: state.filling === 1 }
    if (state.rev !== after) return { ...told, rev: state.rev, outcome: 'ignored' }
    // Rows that came with an earlier answer may have gone since, and the sender does not know which.
    if (after > 0 && state.filling === 1 && floor > state.floor)
      return { ...told, rev: after, outcome: 'anew' }
    for (const tombstone of gone) {
      this.#removeKey(tombstone)
      this.states.bury(shard, tombstone)
    }
    for (const cells of rows) this.#parts.put(rowOfCells(cells), { shard, rev: cells[0], isFromPeer: true })
    const isAll = upTo === newest
    const isFilling = after === 0 || state.filling === 1
    if (isFilling && isAll) this.#parts.remove(this.#sql.old.all(shard))
    if (terms.length > 0) this.states.setTerms(shard, terms)
    this.states.save(shard, {
      rev: upTo,
      floor: isFilling ? (isAll ? upTo : floor) : state.floor,
      filling: isFilling && !isAll ? 1 : 0,
    })
    if (gone.length > 0) this.states.dropOldTombstones(shard)
    if (position !== null) this.#sql.place.run(shard, position.no, position.index)
    return { ...told, rev: upTo, isFilling: isFilling && !isAll, outcome: isAll ? 'all' : 'more' }
  }

  inQuestion(shard: number, to: Rev): readonly RowKey[] | null {
    const keys = this.#sql.keysAfter.all(shard, to, IN_QUESTION_MAX + 1)
    const gone = this.states.tombstones(shard, to)
    if (keys.length + gone.length > IN_QUESTION_MAX) return null
    return [...keys, ...gone.map(({ tenant, kind, id }) => ({ tenant, kind, id }))]
  }

  rowsOf(keys: readonly RowKey[]): Uint8Array {
    return encoded(
      keys.flatMap(({ tenant, kind, id }) => {
        const cells = this.#sql.one.get(tenant, kind, id)
        return cells === undefined ? [] : [this.#cells(cells)]
      }),
    )
  }

  settle(shard: number, rev: Rev, to: Rev, keys: readonly RowKey[], bytes: Uint8Array): ShardRev {
    const state = this.states.of(shard)
    if (state.rev !== rev) return { shard, rev: state.rev }
    const there = decodedRows(bytes).map((cells) => ({ row: rowOfCells(cells), rev: cells[0] }))
    const listed = new Set(there.map(({ row }) => keyOf(row)))
    for (const key of keys) if (!listed.has(keyOf(key))) this.#removeKey(key)
    this.states.goBack(shard, to)
    for (const { row, rev: at } of there)
      this.#parts.put(row, { shard, rev: Math.min(at, to), isFromPeer: true })
    this.states.save(shard, { ...state, rev: to, floor: Math.min(state.floor, to) })
    // How far these rows have read the log is known again when all that follows is here.
    this.#sql.unplace.run(shard)
    return { shard, rev: to }
  }

  fillAnew(shard: number, at: Rev): ShardRev {
    const { rev } = this.states.of(shard)
    if (rev !== at) return { shard, rev }
    this.#sql.age.run(shard)
    this.#sql.unplace.run(shard)
    this.states.goBack(shard, 0)
    this.states.save(shard, { rev: 0, floor: 0, filling: 1 })
    return { shard, rev: 0 }
  }

  keysOfRecord(shard: number, recordId: string): readonly RowKey[] {
    return this.keysOf(this.#sql.seqsOfId.all(shard, Number.MAX_SAFE_INTEGER, recordId))
  }

  /** Each keeps its place among the changes: what the file has not read yet comes as before. */
  overwrite({ shard, rev, recordId, bytes }: RowsAtOwner): void {
    const rows = decodedRows(bytes)
    this.erased.note(recordId, rev, rows)
    for (const cells of rows) {
      const row = rowOfCells(cells)
      const stored = this.#sql.one.get(row.tenant, row.kind, row.id)
      if (stored !== undefined && stored[0] < cells[0])
        this.#parts.put(row, { shard, rev: stored[0], isFromPeer: true })
    }
    // Whose list it was in is known to this file alone, so all rows of the shard are gone through.
    if (rows.length === 0) this.#parts.remove(this.#sql.seqsOfId.all(shard, rev, recordId))
  }

  openTerms(terms: readonly TermToOpen[]): readonly ShardRev[] {
    return terms.flatMap((term) => {
      const rev = this.states.openTerm(term)
      return rev === null ? [] : [{ shard: term.shard, rev }]
    })
  }

  unlistKeys(shard: number, epoch: number, keys: readonly RowKey[]): ShardRev {
    const count = this.states.counting(shard, epoch)
    if (count === null) throw new Error(`shard ${shard} has another owner`)
    for (const key of keys) {
      this.#removeKey(key)
      // Also of a row that is not here: another file may have it from an owner whose last changes were lost.
      this.states.bury(shard, { ...key, rev: count.next() })
    }
    const rev = count.save()
    this.states.dropOldTombstones(shard)
    return { shard, rev }
  }

  keysOf(rows: readonly number[]): readonly (RowKey & { readonly shard: number })[] {
    return rows.flatMap((row) => this.#sql.keyOf.get(row) ?? [])
  }

  sweptIn(rows: readonly number[], epochs: readonly (number | null)[]): readonly ShardRev[] {
    const revs = new Map<number, Rev>()
    for (const row of rows) {
      const shard = this.#sql.keyOf.get(row)?.shard
      const epoch = shard === undefined ? null : epochs[shard]
      if (shard === undefined || epoch === null || epoch === undefined) continue
      const count = this.states.counting(shard, epoch)
      if (count === null) continue
      this.#sql.sweep.run(count.next(), row)
      revs.set(shard, count.save())
    }
    return [...revs].map(([shard, rev]) => ({ shard, rev }))
  }

  #removeKey({ tenant, kind, id }: RowKey): void {
    const seq = this.#sql.seqOf.get(tenant, kind, id)
    if (seq !== undefined) this.#parts.remove([seq])
  }
}
