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
import type Database from 'better-sqlite3'
import { matches } from './record-query.ts'
import { RecordTags } from './record-tags.ts'

type Row = { readonly id: string; readonly value: string; readonly tags: string }

/** Credo's records in one SQLite table, their tags in another. */
export class SqliteRecordStorage<Kept extends BaseRecord> implements StorageService<Kept> {
  readonly supportsCursorPagination = false
  readonly #insert: Database.Statement
  readonly #update: Database.Statement
  readonly #delete: Database.Statement
  readonly #one: Database.Statement
  readonly #all: Database.Statement
  readonly #tags: RecordTags
  readonly #together: <Result>(work: () => Result) => Result

  constructor(database: Database.Database) {
    database.exec(`CREATE TABLE IF NOT EXISTS records (
      type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, tags TEXT NOT NULL, PRIMARY KEY (type, id)) WITHOUT ROWID`)
    this.#insert = database.prepare(
      'INSERT OR IGNORE INTO records (type, id, value, tags) VALUES (?, ?, ?, ?)',
    )
    this.#update = database.prepare('UPDATE records SET value = ?, tags = ? WHERE type = ? AND id = ?')
    this.#delete = database.prepare('DELETE FROM records WHERE type = ? AND id = ?')
    this.#one = database.prepare('SELECT id, value, tags FROM records WHERE type = ? AND id = ?')
    this.#all = database.prepare('SELECT id, value, tags FROM records WHERE type = ?')
    this.#tags = new RecordTags(database)
    this.#together = (work) => database.transaction(work)()
  }

  async save(_context: AgentContext, record: Kept): Promise<void> {
    record.updatedAt = new Date()
    const { value, tags } = texts(record)
    this.#together(() => {
      if (this.#insert.run(record.type, record.id, value, tags).changes === 0) {
        throw new RecordDuplicateError(`there is a record ${record.id}`, { recordType: record.type })
      }
      this.#tags.replace(record.type, record.id, record.getTags())
    })
  }

  async update(_context: AgentContext, record: Kept): Promise<void> {
    record.updatedAt = new Date()
    const { value, tags } = texts(record)
    this.#together(() => {
      if (this.#update.run(value, tags, record.type, record.id).changes === 0)
        throw missing(record.type, record.id)
      this.#tags.replace(record.type, record.id, record.getTags())
    })
  }

  async delete(_context: AgentContext, record: Kept): Promise<void> {
    this.#remove(record.type, record.id)
  }

  async deleteById(_context: AgentContext, kind: BaseRecordConstructor<Kept>, id: string): Promise<void> {
    this.#remove(kind.type, id)
  }

  async getById(_context: AgentContext, kind: BaseRecordConstructor<Kept>, id: string): Promise<Kept> {
    const row = this.#one.get(kind.type, id) as Row | undefined
    if (!row) throw missing(kind.type, id)
    return recordOf(kind, row)
  }

  async getAll(_context: AgentContext, kind: BaseRecordConstructor<Kept>): Promise<Kept[]> {
    return (this.#all.all(kind.type) as Row[]).map((row) => recordOf(kind, row))
  }

  async findByQuery(
    _context: AgentContext,
    kind: BaseRecordConstructor<Kept>,
    query: Query<Kept>,
    { limit = Number.MAX_SAFE_INTEGER, offset = 0 }: QueryOptions = {},
  ): Promise<Kept[]> {
    const found = this.#candidates(kind.type, query).filter((row) =>
      matches<Kept>(JSON.parse(row.tags) as TagsBase, query),
    )
    return found.slice(offset, offset + limit).map((row) => recordOf(kind, row))
  }

  #candidates(type: string, query: object): readonly Row[] {
    const ids = this.#tags.candidates(type, query)
    if (ids === null) return this.#all.all(type) as Row[]
    return ids.map((id) => this.#one.get(type, id) as Row)
  }

  #remove(type: string, id: string): void {
    this.#together(() => {
      if (this.#delete.run(type, id).changes === 0) throw missing(type, id)
      this.#tags.remove(type, id)
    })
  }
}

const texts = (record: BaseRecord): { value: string; tags: string } => ({
  value: JsonTransformer.serialize(record),
  tags: JSON.stringify(record.getTags()),
})

const recordOf = <Kept extends BaseRecord>(kind: BaseRecordConstructor<Kept>, row: Row): Kept => {
  const record = JsonTransformer.deserialize(row.value, kind)
  record.id = row.id
  record.replaceTags(JSON.parse(row.tags) as Parameters<Kept['replaceTags']>[0])
  return record
}

const missing = (recordType: string, id: string): RecordNotFoundError =>
  new RecordNotFoundError(`there is no record ${id}`, { recordType })
