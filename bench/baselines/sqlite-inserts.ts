// better-sqlite3 with nothing around it: so many callers at once, each waiting until its row is durable. Whatever waits
// when a transaction ends goes into the next one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

type Row = { readonly actor: number; readonly seq: number; readonly commandId: string; readonly data: string }

const folder = mkdtempSync(join(tmpdir(), 'bench-inserts-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

const database = new Database(join(folder, 'inserts.db'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(
  'CREATE TABLE events (id INTEGER PRIMARY KEY, actor INTEGER NOT NULL, seq INTEGER NOT NULL, command_id TEXT, data TEXT NOT NULL) STRICT',
)
const insert = database.prepare('INSERT INTO events (actor, seq, command_id, data) VALUES (?, ?, ?, ?)')

let waiting: { readonly row: Row; readonly done: () => void }[] = []
let commands = 0

const flush = (): void => {
  const group = waiting
  waiting = []
  database.exec('BEGIN IMMEDIATE')
  for (const { row } of group) insert.run(row.actor, row.seq, row.commandId, row.data)
  database.exec('COMMIT')
  for (const { done } of group) done()
}

const write = (row: Row): Promise<void> =>
  new Promise((done) => {
    waiting.push({ row, done })
    if (waiting.length === 1) setImmediate(flush)
  })

export async function run(callers: number, durationMs: number, data: string) {
  const startMs = performance.now()
  const endMs = startMs + durationMs
  let rows = 0
  const caller = async (actor: number): Promise<void> => {
    for (let seq = 1; performance.now() < endMs; seq++) {
      await write({ actor, seq, commandId: `bench-command-${++commands}`, data })
      rows++
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, actor) => caller(actor)))
  return { perS: rows / ((performance.now() - startMs) / 1_000), rows }
}
