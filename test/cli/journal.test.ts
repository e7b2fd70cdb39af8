import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wrapSnapshot } from '../../src/host/state/snapshot-envelope.ts'
import { registerJournal } from '../../src/cli/journal.ts'
import { describeActor, renderActor } from '../../src/cli/journal-text.ts'
import { registerMigrate } from '../../src/cli/migrate.ts'
import { openSqliteStore, type SqliteJournalStore } from '../../src/persistence/sqlite/journal-store.ts'
import { LayoutReader, LayoutWriter } from '../../src/persistence/sqlite/slot-file/row-layout.ts'
import { batchSlot, entry, openSlot, someActor } from '../contract/journal/parts/slots.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Outcome, vouchsafe } from './parts/vouchsafe.ts'

describe('vouchsafe journal', () => {
  let folder: string
  let store: SqliteJournalStore
  const actor = someActor(3)

  const run = (...args: string[]): Promise<Outcome> =>
    vouchsafe([registerJournal, registerMigrate], { VOUCHSAFE_DATA_FOLDER: folder }, args)

  const change = (statement: string): void => {
    const file = new BetterSqlite3(join(folder, 'journal.db'))
    file.exec(statement)
    file.close()
  }

  /** Makes the one entry of a slot lead so many rows back to its actor's row before. */
  const leadBack = (no: number, rows: number): void => {
    const file = new BetterSqlite3(join(folder, 'journal.db'))
    const layout = file.prepare<[number], Buffer>('SELECT layout FROM slots WHERE no = ?').pluck().get(no)
    const numbers = new LayoutReader(layout ?? Buffer.alloc(0))
    const changed = new LayoutWriter()
    for (let index = 0; !numbers.atEnd; index++) {
      const number = numbers.next()
      changed.add(index === 3 ? rows : number)
    }
    file.prepare('UPDATE slots SET layout = ? WHERE no = ?').run(changed.take(), no)
    file.close()
  }

  beforeAll(async () => {
    folder = temporaryFolder('cli-journal')
    store = await openSqliteStore(folder)
    const sealed = '{"v":1,"d":{"type":"Offered","name":null},"s":"bm90LXRvLWJlLXNlZW4"}'
    await store.append(openSlot(3, 0, 1))
    await store.append(batchSlot(3, 1, 1, [{ ...entry(actor, 1), events: [sealed] }]))
    await store.append(
      batchSlot(3, 2, 1, [{ ...entry(actor, 2), commandId: null, events: ['{"v":1,"d":{"type":"Sent"}}'] }]),
    )
    await store.append(batchSlot(3, 3, 1, [{ ...entry(actor, 3), events: ['not JSON: Ada Lovelace'] }]))
    const state = '{"v":1,"d":{"status":"offered","name":null},"s":"bm90LXRvLWJlLXNlZW4"}'
    await store.writeSnapshot(actor, { seq: 2, data: wrapSnapshot({ recentCommands: [], state }) }, 3)
  })
  afterAll(async () => {
    await store[Symbol.asyncDispose]()
  })

  it('shows the events of an actor beside a running service, and nothing that is sealed or unreadable', async () => {
    const { code, out } = await run('journal', 'show', actor)
    expect(code).toBe(0)
    expect(out.split('\n').slice(0, -1)).toEqual([
      `${actor}: 3 events, snapshot of event 2`,
      '1  {"type":"Offered","name":null}  + sealed personal fields  by command-1',
      '2  {"type":"Sent"}  by no command',
      '3  cannot be read  by command-3',
    ])
  })

  it('shows the same as JSON', async () => {
    const { out } = await run('--json', 'journal', 'show', actor)
    expect(JSON.parse(out)).toMatchObject({
      actor,
      snapshotSeq: 2,
      snapshot: { status: 'offered' },
      events: [
        { seq: 1, sealed: true },
        { seq: 2, sealed: false },
        { seq: 3, event: null },
      ],
    })
    expect(out).not.toContain('bm90')
  })

  it('says that an actor is unknown, and what is no actor at all', async () => {
    const other = someActor(3)
    expect(await run('journal', 'show', other)).toMatchObject({
      code: 1,
      err: `The journal has no actor ${other}.\n`,
    })
    const nonsense = await run('journal', 'show', 'Ada')
    expect([nonsense.code, nonsense.err]).toEqual([1, expect.stringContaining('not the id of an actor')])
  })

  it('finds a sound journal sound', async () => {
    const { code, out } = await run('journal', 'check')
    expect([code, out]).toEqual([
      0,
      'Sound: 3 events of 1 actors, 4 slots of 256 shards (0 not copied yet).\n',
    ])
  })

  it('finds a gap in the events of an actor, and an epoch that goes back', async () => {
    leadBack(3, 0)
    change('UPDATE slots SET epoch = 0 WHERE no = 3; UPDATE snapshots SET seq = 1')
    const { code, out } = await run('--json', 'journal', 'check', '--shard', '3')
    leadBack(3, 1)
    change('UPDATE slots SET epoch = 1 WHERE no = 3; UPDATE snapshots SET seq = 2')
    expect(code).toBe(1)
    expect((JSON.parse(out) as { problems: string[] }).problems).toEqual([
      'shard 3: slot 3 goes back to epoch 0',
      `shard 3: ${actor} has event 3 where 2 belongs`,
    ])
  })

  it('finds a snapshot and a checkpoint that are ahead of the log', async () => {
    change('UPDATE snapshots SET seq = 9')
    await store.writeCheckpoint(3, 1, { copiedNo: 3, publishedNo: 77, projectedNo: 3, timerAckMs: 0 })
    const { code, out } = await run('journal', 'check', '--shard', '3')
    change('UPDATE snapshots SET seq = 2; UPDATE shards SET published_no = 3')
    expect(code).toBe(1)
    expect(out).toContain('published up to slot 77, the log ends at 3')
    expect(out).toContain('snapshot of event 9, but 3 events')
  })

  it('says what uses the space, by kind', async () => {
    const { code, out } = await run('--json', 'journal', 'size')
    const { sizes } = JSON.parse(out) as { sizes: { what: string; kind: string | null; rows: number }[] }
    const rowsOf = (what: string) => sizes.filter((size) => size.what === what)
    expect(code).toBe(0)
    expect(rowsOf('events')).toMatchObject([{ kind: actor.slice(0, 3), rows: 3 }])
    expect(rowsOf('snapshots')).toMatchObject([{ kind: actor.slice(0, 3), rows: 1 }])
    expect(rowsOf('log')).toMatchObject([{ kind: null, rows: 4 }])
    expect(rowsOf('bodies')).toMatchObject([{ kind: null, rows: 0 }])
    expect((await run('journal', 'size')).out).toContain(`events of ${actor.slice(0, 3)}`)
  })

  it('shows the last snapshot of an actor whose events were folded into it', () => {
    const data = wrapSnapshot({ recentCommands: [], state: '{"v":1,"d":{"status":"done"}}' })
    const folded = describeActor(actor, { snapshot: { seq: 7, data }, events: [] })
    expect(renderActor(folded)).toBe(`${actor}: 0 events, snapshot of event 7\n   {"status":"done"}`)
  })

  it('has nothing to migrate on SQLite', async () => {
    const { code, out } = await run('migrate')
    expect([code, out]).toEqual([0, expect.stringContaining('nothing to do')])
  })
})
