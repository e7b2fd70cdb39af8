import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { parkedRecordKind } from '../../../src/actors/parked-record/index.ts'
import {
  heldIn,
  type ParkingReport,
  parkingOf,
  retryParked,
} from '../../../src/actors/parked-record/parking.ts'
import { HELD_MAX, PARKED_OF_SHARD_MAX, parkedOf } from '../../../src/actors/parked-record/rules.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { ActorFailed, type Actors } from '../../../src/ports/actors.ts'
import { type Parked, ParkingFull } from '../../../src/ports/parking.ts'
import { record } from '../../contract/stream/stream-suite.ts'
import { givenPorts } from '../given-ports.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { openHost } from '../../host/parts/open-host.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'

const journal = new MemoryJournal()
const runtime = testRuntime()
const { host } = await openHost(journal, {
  definitions: [parkedRecordKind.definition(givenPorts({}))],
  vault: new MemoryVault(),
  runtime,
  shards: [0, 1, 2, 3, 4, 5],
})
const world = { actors: host, runtime }
afterAll(() => host[Symbol.asyncDispose]())

const reported: unknown[][] = []
const report: ParkingReport = {
  parked: (shard, { part, recordId }) => void reported.push(['parked', shard, part, recordId]),
  full: (shard, { recordId }) => void reported.push(['full', shard, recordId]),
  leftOut: (shard, { id }) => void reported.push(['left out', shard, id]),
}
const parking = parkingOf(world, report)
const unreadable = (recordId: string) =>
  new ActorFailed(recordId, { cause: new SyntaxError('Ada Lovelace is no JSON') })
const parkList = (shard: number, recordId: string) =>
  parking.park(shard, { part: 'lists', recordId, error: unreadable(recordId) })
const told = (index: number) => record('ten_0baaaaaaaa', index).event
beforeEach(() => void reported.splice(0))

/** The same actors for one that has looked at no shard yet. */
const watchedBy = (onRead: (from: string) => void) => {
  const actors: Actors = {
    ask: (to, command, options) => host.ask(to, command, options),
    askAtomically: (members, options) => host.askAtomically(members, options),
    read: (from, options) => {
      onRead(from)
      return host.read(from, options)
    },
  }
  return { actors, runtime }
}

describe('what is parked', () => {
  it('has the name of the error and no content, once for each record and part, and is reported once', async () => {
    const from = { seq: 3, no: 9, index: 1 }
    for (const _ of [1, 2]) {
      await parkList(0, 'cre_00aaaaaaaa')
      await parking.park(0, { part: 'events', recordId: 'cre_00aaaaaaaa', from, error: unreadable('x') })
    }
    expect(await parking.of(0)).toMatchObject([
      { part: 'lists', error: 'ActorFailed: SyntaxError', from: null, attempts: 1, isRetryAsked: false },
      { part: 'events', error: 'ActorFailed: SyntaxError', from, held: [] },
    ])
    expect(JSON.stringify([...journal.events])).not.toContain('Ada')
    expect(reported).toEqual([
      ['parked', 0, 'lists', 'cre_00aaaaaaaa'],
      ['parked', 0, 'events', 'cre_00aaaaaaaa'],
    ])
    const [first] = await parking.of(0)
    expect(parking.isChangedBy(first?.id ?? '')).toBe(true)
    expect(parking.isChangedBy('cre_00aaaaaaaa')).toBe(false)
  })

  it('is tried again when an operator asks, and stays until that succeeds', async () => {
    await parkList(1, 'cre_01aaaaaaaa')
    const id = (await parking.of(1))[0]?.id ?? ''
    for (const _ of [1, 2]) expect(await retryParked(world, 1, id)).toMatchObject({ isRetryAsked: true })
    await parking.keep(1, id, new RangeError())
    expect(await parking.of(1)).toMatchObject([{ error: 'RangeError', attempts: 2, isRetryAsked: false }])
    for (const _ of [1, 2]) await parking.release(1, id, [])
    expect(await parking.of(1)).toEqual([])
    expect(isRefused(await retryParked(world, 1, id))).toBe(true)
  })

  it('is bounded in each shard: beyond it something larger is wrong', async () => {
    for (let each = 0; each < PARKED_OF_SHARD_MAX; each++) await parkList(2, `cre_02aaaaaa${each + 10}`)
    await expect(parkList(2, 'cre_02toomany0')).rejects.toThrow(ParkingFull)
    expect(await parking.of(2)).toHaveLength(PARKED_OF_SHARD_MAX)
    expect(reported.at(-1)).toEqual(['full', 2, 'cre_02toomany0'])
    await parkList(2, 'cre_02aaaaaa10')
  })

  it('holds the events of an endpoint in their order, and keeps those that come while others are passed on', async () => {
    const endpoint = 'whk_03aaaaaaaa'
    expect(await parking.hold(3, endpoint, told(0))).toBe(false)
    await parking.park(3, {
      part: 'webhooks',
      recordId: endpoint,
      held: told(0),
      error: unreadable(endpoint),
    })
    for (const index of [1, 1]) expect(await parking.hold(3, endpoint, told(index))).toBe(true)
    const [{ id, held }] = (await parking.of(3)) as [Parked]
    expect(held.map((each) => each.id)).toEqual([told(0).id, told(1).id])
    await parking.hold(3, endpoint, told(2))
    await parking.release(3, id, held)
    expect(await parking.of(3)).toMatchObject([{ held: [{ id: told(2).id, recordId: told(2).recordId }] }])
  })

  it('holds them also at a node that has just begun, and has not parked them itself', async () => {
    const endpoint = 'whk_01bbbbbbbb'
    await parking.park(1, {
      part: 'webhooks',
      recordId: endpoint,
      held: told(0),
      error: unreadable(endpoint),
    })
    const actors = {
      ask: host.ask.bind(host),
      read: host.read.bind(host),
      askAtomically: host.askAtomically.bind(host),
    } as Actors
    const begun = parkingOf({ actors, runtime }, report)
    expect(await begun.hold(1, endpoint, told(1))).toBe(true)
    expect((await begun.of(1)).flatMap(({ held }) => held)).toHaveLength(2)
  })

  it('is looked for once in a shard where nothing is, and found there when something is parked later', async () => {
    const looked: string[] = []
    const watched = watchedBy((from) => looked.push(from))
    const from = { seq: 1, no: 1, index: 0 }
    const recordId = 'cre_05aaaaaaaa'
    for (const _ of [1, 2, 3]) expect(await heldIn(watched, 5)).not.toContain(recordId)
    expect(looked.filter((id) => id === parkedOf(5))).toHaveLength(1)
    await parkingOf(watched, report).park(5, { part: 'events', recordId, from, error: unreadable('x') })
    expect(await heldIn(watched, 5)).toContain(recordId)
  })

  it('is found, and holds events, once a record of its shard that could not be read is mended', async () => {
    const endpoint = 'whk_05bbbbbbbb'
    const error = unreadable(endpoint)
    await parking.park(5, { part: 'webhooks', recordId: endpoint, held: told(0), error })
    let isMended = false
    const watched = watchedBy((from) => {
      if (from === parkedOf(5) && !isMended) throw unreadable(from)
    })
    const other = parkingOf(watched, report)
    for (const _ of [1, 2]) {
      expect(await heldIn(watched, 5)).not.toContain(endpoint)
      expect(await other.hold(5, endpoint, told(1))).toBe(false)
    }
    isMended = true
    expect(await heldIn(watched, 5)).toContain(endpoint)
    expect(await other.hold(5, endpoint, told(1))).toBe(true)
  })

  it('keeps the journal that has a held event, also where that is not of its record', async () => {
    const recordId = 'wal_05aaaaaaaa'
    for (const actor of ['mbx_05aaaaaaaa', 'mbx_05bbbbbbbb']) {
      const endpoint = `whk_05${actor.slice(6)}`
      const held = { ...told(0), id: `evt_${actor}_1`, recordId }
      // The one names its actor; the other was held by an older release.
      const named = actor.endsWith('a') ? { ...held, actor } : held
      await parking.park(5, {
        part: 'webhooks',
        recordId: endpoint,
        held: named,
        error: unreadable(endpoint),
      })
      expect(await heldIn(world, 5)).toContain(actor)
    }
  })

  it('reads what older releases have stored', () => {
    const heldThen = { id: 'evt_cre_05aaaaaaaa_1', recordId: 'cre_05aaaaaaaa' }
    const facts = {
      id: 'prk_05aaaaaaaa',
      part: 'webhooks',
      recordId: 'whk_05aaaaaaaa',
      from: null,
      error: 'Error',
    }
    const text = (value: object) => JSON.stringify({ v: 1, d: value })
    const parked = { ...facts, type: 'RecordParked', atMs: 1, held: heldThen } as const
    expect(parkedRecordKind.events.decode(text(parked), null)).toEqual(parked)
    const state = { entries: [{ ...facts, held: [heldThen], sinceMs: 1, attempts: 1, isRetryAsked: false }] }
    expect(parkedRecordKind.atRest.snapshots.decode(text(state), null)).toEqual(state)
  })

  it('says which events it cannot hold any more', async () => {
    const endpoint = 'whk_04aaaaaaaa'
    const error = unreadable(endpoint)
    for (let index = 0; index <= HELD_MAX; index++)
      await parking.park(4, { part: 'webhooks', recordId: endpoint, held: told(index), error })
    expect((await parking.of(4))[0]?.held).toHaveLength(HELD_MAX)
    expect(reported).toEqual([
      ['parked', 4, 'webhooks', endpoint],
      ['left out', 4, told(HELD_MAX).id],
    ])
  })
})
