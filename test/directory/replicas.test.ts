import { describe, expect, it } from 'vitest'
import { decodedAnswers, encoded, type RowCells, type ShardAnswer } from '../../src/directory/change-codec.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { query, row } from './directory-rows.ts'
import { contents, node, openTerm, pull, pullAll, revOf } from './replica-nodes.ts'

const POSITION = { no: 1, index: 0 }
/** As the first hours are counted. */
const hours = (...counts: readonly number[]) => Array.from({ length: 1_000 }, (_, hour) => counts[hour] ?? 0)
/** What came later stands behind what that release knows. */
const ofReleaseBefore = (answer: ShardAnswer): ShardAnswer =>
  'rows' in answer
    ? { ...answer, rows: answer.rows.map((cells) => cells.slice(0, 12) as unknown as RowCells) }
    : answer

describe('files of several nodes', () => {
  it('take rows over in order, and are asked only for what changed', async () => {
    const [a, b] = [node('a'), node('b')]
    openTerm(a, 0, 1)
    a.file.writeAll([{ shard: 0, rows: [row('x'), row('y')], position: { no: 4, index: 2 }, epoch: 1 }])
    expect(pull(b, a)).toMatchObject([{ outcome: 'all' }])
    expect(b.file.positionOf(0)).toEqual({ no: 4, index: 2 })
    for (const state of ['one', 'two', 'three'])
      a.file.writeAll([{ shard: 0, rows: [row('x', { state })], position: POSITION, epoch: 1 }])
    const changes = a.file.replicated((replicas) => replicas.changesAfter([{ shard: 0, rev: revOf(b, 0) }]))
    const [answer] = decodedAnswers(changes?.bytes ?? new Uint8Array())
    expect(answer).toMatchObject({ rows: { length: 1 } })
    pull(b, a)
    expect(await contents(b)).toEqual(await contents(a))
  })

  it('take rows of a release that did not count, and count what a later owner or a rebuild says of them', async () => {
    const [a, b] = [node('a'), node('b')]
    openTerm(a, 0, 1)
    const offered = [['offer-sent', 1]] as const
    const done = [...offered, ['done', 2 * 3_600_000]] as const
    const write = (epoch: number, ...rows: readonly DirectoryRow[]) =>
      a.file.writeAll([{ shard: 0, rows, position: POSITION, epoch }])
    const counted = async () => (await contents(b)).at(-1)
    const pullOfBefore = () => {
      const wanted = [{ shard: 0, rev: revOf(b, 0) }]
      const changes = a.file.replicated((replicas) => replicas.changesAfter(wanted))
      const answers = decodedAnswers(changes?.bytes ?? new Uint8Array()).map(ofReleaseBefore)
      b.file.replicated((replicas) => replicas.apply(encoded(answers)))
    }
    write(1, row('x', { state: 'offered', steps: offered }), row('y', { state: 'offered', steps: offered }))
    pullOfBefore()
    expect(await counted()).toMatchObject({ now: { offered: 2 }, counts: {} })
    openTerm(a, 0, 2)
    write(2, row('x', { steps: done }))
    pullAll(b, a)
    expect(await counted()).toMatchObject({
      now: { offered: 1, done: 1 },
      counts: { 'offer-sent': hours(1), done: hours(0, 0, 1) },
    })
    // An owner of the release before knows where it is now, and nothing of when.
    write(2, row('x', { state: 'closed' }))
    pullOfBefore()
    expect(await counted()).toMatchObject({
      now: { offered: 1, closed: 1 },
      counts: { 'offer-sent': hours(1), done: hours(0, 0, 1) },
    })
    write(2, row('x', { steps: done }), row('y', { state: 'offered', steps: offered }))
    pullAll(b, a)
    expect(await counted()).toMatchObject({ counts: { 'offer-sent': hours(2), done: hours(0, 0, 1) } })
    expect(await contents(b)).toEqual(await contents(a))
  })

  it('refuse the write of an owner whose successor they have heard of', () => {
    const a = node('a')
    openTerm(a, 0, 2)
    openTerm(a, 0, 1)
    expect(a.file.writeAll([{ shard: 0, rows: [row('x')], position: POSITION, epoch: 1 }])).toEqual([
      { shard: 0, rev: null },
    ])
  })

  it('keep what an organisation has kept, and list no row that comes after its end', async () => {
    const a = node('a')
    openTerm(a, 0, 1)
    openTerm(a, 1, 1)
    const end = row('t1', { tenant: 'operators', kind: 'tenant', endsAllBut: ['audit-entry'] })
    a.file.writeAll([{ shard: 0, rows: [row('x'), end], position: POSITION, epoch: 1 }])
    const late = [row('y'), row('z', { kind: 'audit-entry' })]
    a.file.writeAll([{ shard: 1, rows: late, position: POSITION, epoch: 1 }])
    const b = node('b')
    pullAll(b, a)
    for (const { file } of [a, b]) {
      expect((await file.list(query())).total).toBe(0)
      expect((await file.list(query({ kind: 'audit-entry' }))).total).toBe(1)
    }
  })

  it('let go of a record that is listed no longer, also where they had it from the owner', async () => {
    const [a, b] = [node('a'), node('b')]
    openTerm(a, 0, 1)
    a.file.writeAll([{ shard: 0, rows: [row('x'), row('y')], position: POSITION, epoch: 1 }])
    pullAll(b, a)
    const gone = [row('x', { isGone: true }), row('never', { isGone: true })]
    a.file.writeAll([{ shard: 0, rows: gone, position: POSITION, epoch: 1 }])
    pullAll(b, a)
    for (const each of [a, b]) expect((await each.file.list(query())).rows.map(({ id }) => id)).toEqual(['y'])
    expect(await contents(b)).toEqual(await contents(a))
    // Nothing says any more whose they were.
    const whole = [row('y', { isGone: true, tenant: '' }), row('never', { isGone: true, tenant: '' })]
    a.file.writeAll([{ shard: 0, rows: whole, position: POSITION, epoch: 1 }])
    pullAll(b, a)
    for (const each of [a, b]) expect((await each.file.list(query())).total).toBe(0)
    expect(await contents(b)).toEqual(await contents(a))
  })

  it('fill a shard anew when rows went that they have not heard of', async () => {
    const [a, b] = [node('a'), node('b')]
    openTerm(a, 0, 1)
    const rows = Array.from({ length: 1_200 }, (_, at) => row(`r${at}`))
    a.file.writeAll([{ shard: 0, rows, position: POSITION, epoch: 1 }])
    pullAll(b, a)
    a.file.replicated((replicas) => replicas.unlistKeys(0, 1, rows.slice(0, 1_100)))
    expect(pull(b, a)).toMatchObject([{ outcome: 'anew' }])
    expect(b.file.replicated((replicas) => replicas.changesAfter([{ shard: 0, rev: 0 }]))).toBeNull()
    pullAll(b, a)
    expect((await b.file.list(query())).total).toBe(100)
  })

  it('fill a shard in many answers from a file that knows nothing of rows that went before', async () => {
    const [a, b, c] = [node('a'), node('b'), node('c')]
    openTerm(a, 0, 1)
    const rows = Array.from({ length: 40 }, (_, at) => row(`r${at}`))
    a.file.writeAll([{ shard: 0, rows, position: POSITION, epoch: 1 }])
    pullAll(b, a)
    openTerm(b, 0, 2)
    for (let turn = 0; turn < 20; turn++) pull(c, b, [0], 4)
    expect(await contents(c)).toEqual(await contents(b))
  })

  it('begin again with a shard when rows went meanwhile that the sender knows no more', async () => {
    const [a, b] = [node('a'), node('b')]
    openTerm(a, 0, 1)
    const rows = Array.from({ length: 1_200 }, (_, at) => row(`r${at}`))
    a.file.writeAll([{ shard: 0, rows, position: POSITION, epoch: 1 }])
    pull(b, a, [0], 10)
    a.file.replicated((replicas) => replicas.unlistKeys(0, 1, rows.slice(0, 1_100)))
    expect(pull(b, a, [0], 10)).toMatchObject([{ outcome: 'anew' }])
    pullAll(b, a)
    expect(await contents(b)).toEqual(await contents(a))
  })
})
