import type { Database } from 'better-sqlite3'
import { isForSlot, SlottedTexts } from './slotted-texts.ts'
import { HOURS, REPLICAS, SLOTS, TABLES } from './table-definitions.ts'

const VERSION = 6
/** Its texts have been moved, and their copies may still stand in unused parts of pages. */
const TO_BE_REWRITTEN = 5
const WITHOUT_SLOTS = 4
const WITHOUT_HOURS = 3
const WITHOUT_REPLICAS = 2

/** When a record came into its states is counted when it is written next, or its list is rebuilt. */
const ADD_STEPS = 'ALTER TABLE records ADD COLUMN steps TEXT'

/** In which states the records are, is known of those that were written before. */
const COUNT_NOW = `
  INSERT INTO steps (name) SELECT DISTINCT state FROM counts;
  INSERT INTO scopes (tenant, kind) SELECT DISTINCT '', kind FROM scopes;
  INSERT INTO hours (scope, hour, step, records)
    SELECT everyone.scope, -1, step, sum(records)
    FROM counts JOIN steps ON name = state JOIN scopes AS list USING (scope)
      JOIN scopes AS everyone ON everyone.tenant = '' AND everyone.kind = list.kind
    GROUP BY everyone.scope, step;
`

/** Makes the tables of a new file, and changes those of an earlier release. Inside a transaction of the caller. */
export const makeTables = (database: Database, file: string): void => {
  const version = database.pragma('user_version', { simple: true })
  if (version === VERSION || version === TO_BE_REWRITTEN) return
  const isOlder = version === WITHOUT_REPLICAS || version === WITHOUT_HOURS
  if (version === 0) database.exec(TABLES)
  else if (isOlder) database.exec(ADD_STEPS)
  else if (version !== WITHOUT_SLOTS)
    throw new Error(`${file} was written by another release: move it away, and it is rebuilt`)
  if (version === WITHOUT_REPLICAS) database.exec('ALTER TABLE records ADD COLUMN rev INTEGER')
  if (version === 0 || version === WITHOUT_REPLICAS) database.exec(REPLICAS)
  if (version !== WITHOUT_SLOTS) database.exec(HOURS)
  if (isOlder) database.exec(COUNT_NOW)
  database.exec(SLOTS)
  if (version !== 0) moveTexts(database)
  database.pragma(`user_version = ${version === 0 ? VERSION : TO_BE_REWRITTEN}`)
}

type RowWithText = {
  readonly seq: number
  readonly id: string
  readonly search: string
  readonly externalId: string | null
}

/** A statement of the driver cannot write while it is read from, so the rows are taken some at a time. */
const MOVED_AT_ONCE = 10_000

const moveTexts = (database: Database): void => {
  database.exec('ALTER TABLE records ADD COLUMN text_slot INTEGER')
  const texts = new SlottedTexts(database)
  const next = database.prepare<[number], RowWithText>(
    `SELECT seq, id, search, external_id AS externalId FROM records
     WHERE seq > ? AND search <> '' ORDER BY seq LIMIT ${MOVED_AT_ONCE}`,
  )
  const move = database.prepare<[number | null, number]>(
    "UPDATE records SET search = '', text_slot = ? WHERE seq = ?",
  )
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: readonly RowWithText[] = next.all(after)
    for (const row of rows)
      if (isForSlot({ ...row, isPassing: false })) move.run(texts.put(null, row.search), row.seq)
    after = rows.at(-1)?.seq
  }
}

/** Pages are written anew, without what stands in their unused parts. */
export const rewriteMoved = (database: Database): void => {
  if (database.pragma('user_version', { simple: true }) !== TO_BE_REWRITTEN) return
  database.exec('VACUUM')
  database.pragma(`user_version = ${VERSION}`)
}
