import type {
  AgentContext,
  BaseRecord,
  BaseRecordConstructor,
  Query,
  QueryOptions,
  StorageService,
  TagsBase,
} from '@credo-ts/core'
import { JsonTransformer, RecordDuplicateError, RecordNotFoundError } from '@credo-ts/core'
import type { RowStore } from '../rows/row-store.ts'
import { matches } from './record-query.ts'

type Text = { readonly value: string; readonly tags: TagsBase }

const PREFIX = 'credo:'

/** The kind of row that Credo's records of a type are. */
const recordKind = (type: string): string => PREFIX + type

/** Credo's records, as rows of the wallet. */
export class RecordStorage<Kept extends BaseRecord> implements StorageService<Kept> {
  readonly supportsCursorPagination = false
  readonly #rows: RowStore
  /** What was read of a row as long as it stays the same; most questions are for tags. */
  readonly #read = new Map<string, { readonly row: string; readonly text: Text }>()

  constructor(rows: RowStore) {
    this.#rows = rows
  }

  async save(_context: AgentContext, record: Kept): Promise<void> {
    if (this.#rows.get(recordKind(record.type), record.id) !== null)
      throw new RecordDuplicateError(`there is a record ${record.id}`, { recordType: record.type })
    this.#put(record)
  }

  async update(_context: AgentContext, record: Kept): Promise<void> {
    this.#existing(record.type, record.id)
    this.#put(record)
  }

  async delete(_context: AgentContext, record: Kept): Promise<void> {
    this.#remove(record.type, record.id)
  }

  async deleteById(_context: AgentContext, kind: BaseRecordConstructor<Kept>, id: string): Promise<void> {
    this.#remove(kind.type, id)
  }

  async getById(_context: AgentContext, kind: BaseRecordConstructor<Kept>, id: string): Promise<Kept> {
    const row = this.#existing(kind.type, id)
    return recordOf(kind, id, this.#textOf(kind.type, id, row))
  }

  async getAll(_context: AgentContext, kind: BaseRecordConstructor<Kept>): Promise<Kept[]> {
    return this.#matching(kind, () => true)
  }

  async findByQuery(
    _context: AgentContext,
    kind: BaseRecordConstructor<Kept>,
    query: Query<Kept>,
    { limit = Number.MAX_SAFE_INTEGER, offset = 0 }: QueryOptions = {},
  ): Promise<Kept[]> {
    return this.#matching(kind, (tags) => matches<Kept>(tags, query)).slice(offset, offset + limit)
  }

  #matching(kind: BaseRecordConstructor<Kept>, wanted: (tags: TagsBase) => boolean): Kept[] {
    const found: Kept[] = []
    for (const [id, row] of this.#rows.all(recordKind(kind.type))) {
      const text = this.#textOf(kind.type, id, row)
      if (wanted(text.tags)) found.push(recordOf(kind, id, text))
    }
    return found
  }

  #put(record: Kept): void {
    record.updatedAt = new Date()
    const text: Text = { value: JsonTransformer.serialize(record), tags: record.getTags() }
    this.#rows.put(recordKind(record.type), record.id, JSON.stringify(text))
  }

  #remove(type: string, id: string): void {
    this.#existing(type, id)
    this.#rows.remove(recordKind(type), id)
    this.#read.delete(`${type}\n${id}`)
  }

  #existing(type: string, id: string): string {
    const row = this.#rows.get(recordKind(type), id)
    if (row === null) throw new RecordNotFoundError(`there is no record ${id}`, { recordType: type })
    return row
  }

  #textOf(type: string, id: string, row: string): Text {
    const place = `${type}\n${id}`
    const known = this.#read.get(place)
    if (known?.row === row) return known.text
    const text = JSON.parse(row) as Text
    this.#read.set(place, { row, text })
    return text
  }
}

type AnyRecord = { id: string; replaceTags(tags: never): void }

const recordOf = <Kept extends AnyRecord>(
  kind: BaseRecordConstructor<Kept>,
  id: string,
  { value, tags }: Text,
): Kept => {
  const record = JsonTransformer.deserialize(value, kind)
  record.id = id
  record.replaceTags({ ...tags } as never)
  return record
}

/** Credo's records as they were stored last, for those who look on while a step is under way. */
export const storedRecords = <Kept extends AnyRecord>(
  rows: RowStore,
  kind: BaseRecordConstructor<Kept>,
): readonly Kept[] =>
  [...rows.allStored(recordKind(kind.type))].map(([id, row]) => recordOf(kind, id, JSON.parse(row) as Text))

export const storedRecord = <Kept extends AnyRecord>(
  rows: RowStore,
  kind: BaseRecordConstructor<Kept>,
  id: string,
): Kept | null => {
  const row = rows.stored(recordKind(kind.type), id)
  return row === null ? null : recordOf(kind, id, JSON.parse(row) as Text)
}
