import { describe, expect, it } from 'vitest'
import {
  offerJobDecider,
  type OfferJobCommand,
  type OfferJobTypes,
} from '../../../src/actors/credential-offer-job/rules.ts'
import { offerJobStored } from '../../../src/actors/credential-offer-job/stored.ts'
import { runDecider } from '../../domain/run-decider.ts'
import { itFollowsItsTable, type Machine } from '../../domain/transition-table.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const body = (id: string) => ({ id, hash: `hash of ${id}` })
const openJob: OfferJobCommand = {
  type: 'OpenOfferJob',
  atMs: 1,
  id: 'coj_00aaaaaaaaaa',
  tenant: 'ten_00aaaaaaaaaa',
  total: 3,
}
const begin = {
  type: 'BeginOfferJob',
  atMs: 1,
  keys: body('keys'),
  waves: [
    { number: 0, indexes: [0, 2], body: body('first') },
    { number: 1, indexes: [1], body: body('second') },
  ],
} as const satisfies OfferJobCommand
const claimed: OfferJobCommand = { type: 'RecordKeysClaimed', atMs: 2, unclaimed: [2] }
const offered: OfferJobCommand = {
  type: 'RecordWaveOffered',
  atMs: 2,
  wave: 0,
  results: [
    [0, 'cre_00aaaaaaaaaa', null],
    [2, null, 'attributes_mismatch'],
  ],
  sealedReasons: 'why',
}
const nameRest: OfferJobCommand = { type: 'NameRest', atMs: 2, wave: 0, restBody: 'rest' }
const offeredInPart: OfferJobCommand = {
  type: 'RecordWaveOffered',
  atMs: 2,
  wave: 0,
  results: [[0, 'cre_00aaaaaaaaaa', null]],
  sealedReasons: null,
}
const offeredLast: OfferJobCommand = {
  type: 'RecordWaveOffered',
  atMs: 3,
  wave: 1,
  results: [[1, 'cre_00bbbbbbbbbb', null]],
  sealedReasons: null,
}
const forget: OfferJobCommand = { type: 'ForgetOfferJob', atMs: 3 + 7 * DAY_MS }

const machine: Machine<OfferJobTypes> = {
  decider: offerJobDecider,
  paths: {
    none: [],
    receiving: [openJob],
    running: [openJob, begin],
    'running (claimed)': [openJob, begin, claimed],
    'running (last wave)': [openJob, begin, offeredLast],
    finished: [openJob, begin, offered, offeredLast],
    forgotten: [openJob, begin, offered, offeredLast, forget],
  },
  commands: {
    OpenOfferJob: openJob,
    BeginOfferJob: begin,
    RecordKeysClaimed: claimed,
    NameRest: nameRest,
    RecordWaveOffered: offered,
    'RecordWaveOffered (in part)': offeredInPart,
    ForgetOfferJob: forget,
  },
}

const run = (...commands: OfferJobCommand[]) =>
  runDecider<OfferJobTypes>(offerJobDecider, [openJob, ...commands])
const owed = (...commands: OfferJobCommand[]) =>
  (offerJobDecider.owed?.(run(...commands).state) ?? []).map(({ id }) => id)

describe('a job of many offers', () => {
  itFollowsItsTable('EXCHANGES.md', machine)

  it('owes the claims of all keys first, and then one wave at a time, and counts each item once', () => {
    expect([owed(begin), owed(begin, claimed), owed(begin, claimed, offered)]).toEqual([
      ['claims'],
      ['wave:0'],
      ['wave:1'],
    ])
    const { state } = run(begin, claimed, offered, offered, offeredLast)
    expect(offerJobDecider.owed?.(state)).toEqual([])
    expect(state).toMatchObject({ status: 'finished', offered: 2, results: { length: 3 }, waves: [] })
    expect(state).toMatchObject({ sealedReasons: ['why'] })
  })

  it('claims the keys of one wave with it', () => {
    const alone: OfferJobCommand = { ...begin, waves: begin.waves.slice(0, 1) }
    expect(offerJobDecider.owed?.(run(alone).state)).toMatchObject([{ id: 'wave:0', unclaimed: [0, 2] }])
    expect(run(alone, claimed).events.map(({ type }) => type)).not.toContain('KeysClaimed')
  })

  it('owes what is left of a wave of which some failed for now, and takes nothing twice', () => {
    const { state } = run(begin, claimed, offeredInPart)
    expect(offerJobDecider.owed?.(run(begin, claimed).state)).toMatchObject([
      { id: 'wave:0', unclaimed: [2] },
    ])
    expect(offerJobDecider.owed?.(state)).toMatchObject([
      { id: 'again:0:1', done: [0], wave: { isSetAside: true }, unclaimed: [0, 2] },
      { id: 'wave:1', unclaimed: [] },
    ])
    expect(run(begin, claimed, claimed, offeredInPart, offered, offeredLast).state).toMatchObject({
      status: 'finished',
      offered: 2,
      results: { length: 3 },
    })
  })

  it('sets a wave aside of which nothing came to anything, once, and goes on with the next', () => {
    const failed: OfferJobCommand = { ...offeredInPart, results: [] }
    expect(owed(begin, claimed, failed)).toEqual(['again:0:2', 'wave:1'])
    const { events } = run(begin, failed, failed)
    expect(events.filter(({ type }) => type === 'WaveOffered')).toHaveLength(1)
    expect(owed(begin, failed, offeredLast)).toEqual(['again:0:2'])
    expect(run(begin, failed, offeredLast, offered).state).toMatchObject({ status: 'finished', offered: 2 })
  })

  it('has what is left of a wave in a body that it has named before, and in no other', () => {
    const withRest: OfferJobCommand = { ...offeredInPart, rest: { indexes: [2], body: body('rest') } }
    const whole = { indexes: [0, 2], body: body('first') }
    const left = { indexes: [2], body: body('rest'), isSetAside: true }
    expect(run(begin, nameRest, withRest).state).toMatchObject({ waves: [left, { number: 1 }] })
    const overtaken: OfferJobCommand = { ...nameRest, restBody: 'another' }
    for (const steps of [[withRest], [nameRest, overtaken, withRest]])
      expect(run(begin, ...steps).state).toMatchObject({ waves: [whole, { number: 1 }] })
    expect(owed(begin, claimed, nameRest)).toEqual(['wave:0'])
  })

  it('is kept for a week after its end, and then says nothing any more', () => {
    const early: OfferJobCommand = { type: 'ForgetOfferJob', atMs: 2 + 7 * DAY_MS }
    expect(run(begin, offered, offeredLast, early).state).toMatchObject({ status: 'finished' })
    const { state } = run(begin, offered, offeredLast, forget)
    expect(state).toMatchObject({ status: 'forgotten', results: [], sealedReasons: [] })
  })

  it('that was given up while it was received leaves nothing', () => {
    const giveUp: OfferJobCommand = { type: 'ForgetOfferJob', atMs: 1 + 25 * HOUR_MS }
    expect(run({ ...giveUp, atMs: giveUp.atMs - 1 }).state).toMatchObject({ status: 'receiving' })
    expect(run(giveUp).state).toMatchObject({ status: 'forgotten' })
    expect(run(giveUp, begin).state).toMatchObject({ status: 'forgotten' })
  })

  it('is read back as it was stored', () => {
    const { events, state } = run(begin, claimed, nameRest, offeredInPart, offered, offeredLast, forget)
    for (const event of events)
      expect(offerJobStored.events.decode(offerJobStored.events.encode(event, null), null)).toEqual(event)
    for (const each of [
      run().state,
      run(begin, offered).state,
      run(begin, claimed, offered).state,
      run(begin, nameRest).state,
      run(begin, offered, offeredLast).state,
      state,
    ])
      expect(offerJobStored.snapshots.decode(offerJobStored.snapshots.encode(each, null), null)).toEqual(each)
  })
})
