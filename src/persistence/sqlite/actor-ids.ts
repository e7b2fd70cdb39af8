import type { Database, Statement } from 'better-sqlite3'

/** Two generations of this many names bound the memory; the older one is dropped whole when the younger is full. */
const GENERATION_SIZE = 50_000

/** Actors' row numbers, looked up on demand: nothing is loaded at the start, however many actors there are. */
export class ActorIds {
  readonly #select: Statement<[number, string], { id: number }>
  readonly #insert: Statement<[number, string]>
  #young = new Map<string, number>()
  #old = new Map<string, number>()

  constructor(database: Database) {
    this.#select = database.prepare('SELECT id FROM actors WHERE shard = ? AND name = ?')
    this.#insert = database.prepare('INSERT INTO actors (shard, name) VALUES (?, ?)')
  }

  findOrCreate(shard: number, name: string): number {
    const known = this.#young.get(name)
    if (known !== undefined) return known
    const id = this.#old.get(name) ?? this.#select.get(shard, name)?.id ?? this.#create(shard, name)
    if (this.#young.size >= GENERATION_SIZE) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, id)
    return id
  }

  /** After a rollback the numbers given inside the transaction are void. */
  forget(): void {
    this.#young.clear()
    this.#old.clear()
  }

  #create(shard: number, name: string): number {
    return Number(this.#insert.run(shard, name).lastInsertRowid)
  }
}
