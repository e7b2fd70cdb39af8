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
const body = (id: string) => ({ id, hash: `hash of ${id}` })
const begin: OfferJobCommand = {
  type: 'BeginOfferJob',
  atMs: 1,
  id: 'coj_00aaaaaaaaaa',
  tenant: 'ten_00aaaaaaaaaa',
  total: 3,
  keys: body('keys'),
  waves: [
    { number: 0, indexes: [0, 2], body: body('first') },
    { number: 1, indexes: [1], body: body('second') },
  ],
}
const offered: OfferJobCommand = {
  type: 'RecordWaveOffered',
  atMs: 2,
  wave: 0,
  results: [
    [0, 'cre_00aaaaaaaaaa', null],
    [2, null, 'attributes_mismatch'],
  ],
  reasons: { 2: 'The attributes differ.' },
}
const offeredInPart: OfferJobCommand = {
  type: 'RecordWaveOffered',
  atMs: 2,
  wave: 0,
  results: [[0, 'cre_00aaaaaaaaaa', null]],
  reasons: null,
}
const offeredLast: OfferJobCommand = {
  type: 'RecordWaveOffered',
  atMs: 3,
  wave: 1,
  results: [[1, 'cre_00bbbbbbbbbb', null]],
  reasons: null,
}
const forget: OfferJobCommand = { type: 'ForgetOfferJob', atMs: 3 + 7 * DAY_MS }

const machine: Machine<OfferJobTypes> = {
  decider: offerJobDecider,
  paths: {
    none: [],
    running: [begin],
    'running (last wave)': [begin, offeredLast],
    finished: [begin, offered, offeredLast],
    forgotten: [begin, offered, offeredLast, forget],
  },
  commands: {
    BeginOfferJob: begin,
    RecordWaveOffered: offered,
    'RecordWaveOffered (in part)': offeredInPart,
    ForgetOfferJob: forget,
  },
}

const run = (...commands: OfferJobCommand[]) => runDecider<OfferJobTypes>(offerJobDecider, commands)
const owed = (...commands: OfferJobCommand[]) =>
  (offerJobDecider.owed?.(run(...commands).state) ?? []).map(({ id }) => id)

describe('a job of many offers', () => {
  itFollowsItsTable('EXCHANGES.md', machine)

  it('owes one wave at a time, and counts what became of the items of each once', () => {
    expect([owed(begin), owed(begin, offered), owed(begin, offered, offeredLast)]).toEqual([
      ['wave:0'],
      ['wave:1'],
      [],
    ])
    const { state } = run(begin, offered, offered, offeredLast)
    expect(state).toMatchObject({ status: 'finished', offered: 2, refused: 1, waves: [] })
    expect(state).toMatchObject({ reasons: { 2: 'The attributes differ.' } })
  })

  it('owes what is left of a wave of which some failed for now, and takes nothing twice', () => {
    const { state } = run(begin, offeredInPart)
    expect(offerJobDecider.owed?.(state)).toMatchObject([{ id: 'wave:0', done: [0] }])
    expect(run(begin, offeredInPart, offered, offeredLast).state).toMatchObject({
      status: 'finished',
      offered: 2,
      refused: 1,
    })
  })

  it('is kept for a week after its end, and then says nothing any more', () => {
    const early: OfferJobCommand = { type: 'ForgetOfferJob', atMs: 2 + 7 * DAY_MS }
    expect(run(begin, offered, offeredLast, early).state).toMatchObject({ status: 'finished' })
    const { state } = run(begin, offered, offeredLast, forget)
    expect(state).toMatchObject({ status: 'forgotten', results: [], reasons: null })
  })

  it('is read back as it was stored, its reasons only where its key is', () => {
    const seal = {
      seal: (plain: string) => Buffer.from(plain).toString('base64url'),
      open: (sealed: string) => Buffer.from(sealed, 'base64url').toString(),
    }
    const { events, state } = run(begin, offered, offeredLast)
    for (const event of events) {
      const text = offerJobStored.events.encode(event, seal)
      expect(text).not.toContain('The attributes differ.')
      expect(offerJobStored.events.decode(text, seal)).toEqual(event)
    }
    const snapshot = offerJobStored.snapshots.encode(state, seal)
    expect(offerJobStored.snapshots.decode(snapshot, seal)).toEqual(state)
    const gone = { ...seal, open: () => null }
    expect(offerJobStored.snapshots.decode(snapshot, gone)).toMatchObject({ reasons: null, offered: 2 })
  })
})
