import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dueBy,
  faceCheckDecider,
  type FaceCheckTypes,
  isCheckOver,
  VENDOR_FORGETS_MS,
} from '../../../src/actors/face-check/rules.ts'
import type { FaceCheckCommand, FaceCheckRecord } from '../../../src/actors/face-check/state.ts'
import { faceCheckStored } from '../../../src/actors/face-check/stored.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { OWN_PREFIX } from '../../../src/domain/message-prefix.ts'
import {
  itFollowsItsTable,
  itIsHiddenFromStrangers,
  type Machine,
  runPath,
} from '../../domain/transition-table.ts'

const EXPIRES_AT_MS = 1_801_000
const begin: FaceCheckCommand = {
  type: 'BeginFaceCheck',
  atMs: 1_000,
  tenant: 'ten_00aaaaaaaa',
  connectionId: 'con_00aaaaaaaa',
  exchangeId: 'cre_00aaaaaaaa',
  vendor: 'aws_rekognition',
  account: { settings: { region: 'eu-west-1' }, sealedCredentials: 'sealed' },
  image: { format: 'jpeg', width: 100, height: 100, pieces: [{ id: 'piece', hash: 'h' }] },
  livenessMin: 80,
  matchMin: 90,
  attemptsMax: 3,
  expiresAtMs: EXPIRES_AT_MS,
  sessionSeconds: { least: 180, most: 180 },
}
const fromHolder = { from: 'con_00aaaaaaaa', prefix: OWN_PREFIX } as const
const asked = (atMs: number): FaceCheckCommand => ({ type: 'ReceiveBegin', atMs, ...fromHolder })
const attempts = { type: 'RecordAttempts', atMs: 40_000, number: 1 } as const

const commands = {
  BeginFaceCheck: begin,
  ReceiveBegin: asked(20_000),
  ReceiveCaptured: { type: 'ReceiveCaptured', atMs: 30_000, ...fromHolder },
  ReceiveCheckProblem: { type: 'ReceiveCheckProblem', atMs: 30_000, ...fromHolder },
  RecordSessionBegun: { type: 'RecordSessionBegun', atMs: 12_000, number: 1, sessionId: 's1', seconds: 180 },
  RenumberSession: { type: 'RenumberSession', atMs: 70_000, number: 1 },
  RecordSessionTold: { type: 'RecordSessionTold', atMs: 21_000, number: 1 },
  RecordSessionLapsed: { type: 'RecordSessionLapsed', atMs: 200_000, number: 1 },
  RecordAttempts: { ...attempts, attempts: 1, attemptsRemaining: 2, status: 'passed' },
  'RecordAttempts (the last one, failed)': {
    ...attempts,
    attempts: 3,
    attemptsRemaining: 0,
    status: 'failed',
  },
  RecordWordDelivered: { type: 'RecordWordDelivered', atMs: 41_000, words: 1 },
  RecordSessionGone: { type: 'RecordSessionGone', atMs: 41_000, sessionId: 's1' },
  RecordExchangeEnded: { type: 'RecordExchangeEnded', atMs: 41_000 },
  EndFaceCheck: { type: 'EndFaceCheck', atMs: 50_000 },
  ReadSession: { type: 'ReadSession', atMs: 185_000 },
  ExpireFaceCheck: { type: 'ExpireFaceCheck', atMs: EXPIRES_AT_MS },
  ForgetSessions: { type: 'ForgetSessions', atMs: 10_000 + VENDOR_FORGETS_MS },
} as const satisfies Record<string, FaceCheckCommand>

const beginning = [begin, asked(10_000)]
const session = [...beginning, commands.RecordSessionBegun]
const reading = [...session, commands.ReceiveCaptured]
const machine: Machine<FaceCheckTypes> = {
  decider: faceCheckDecider,
  paths: {
    none: [],
    pending: [begin],
    'pending (beginning)': beginning,
    'pending (session)': session,
    'pending (reading)': reading,
    'pending (next wanted)': [...reading, asked(31_000)],
    passed: [...reading, commands.RecordAttempts],
    failed: [...reading, commands['RecordAttempts (the last one, failed)']],
    expired: [begin, commands.ExpireFaceCheck],
    cancelled: [...session, commands.EndFaceCheck],
  },
  commands,
}

const reached = (state: string): FaceCheckRecord => runPath(machine, state) as FaceCheckRecord

const after = (before: FaceCheckRecord, ...sent: readonly FaceCheckCommand[]): FaceCheckRecord =>
  sent.reduce<FaceCheckTypes['state']>((state, command) => {
    const decided = faceCheckDecider.decide(state, command)
    return isRefused(decided) ? state : decided.reduce(faceCheckDecider.evolve, state)
  }, before) as FaceCheckRecord

const owedBy = (state: FaceCheckRecord): readonly string[] =>
  (faceCheckDecider.owed?.(state) ?? []).map(({ kind }) => kind)

describe('a face check', () => {
  itFollowsItsTable('EXCHANGES.md', machine)
  itIsHiddenFromStrangers(machine, 'pending')

  it('counts no attempt twice, decides once, and owes nothing of a session afterwards', () => {
    const later = Object.values(commands).map((each) => ({ ...each, atMs: each.atMs + 60_000 }))
    const some = fc.constantFrom<FaceCheckCommand>(...Object.values(commands), ...later)
    fc.assert(
      fc.property(fc.array(some, { maxLength: 40 }), (sent) => {
        let state: FaceCheckTypes['state'] = { status: 'none' }
        let decisions = 0
        const counted = new Set<number>()
        for (const command of [begin, ...sent]) {
          const decided = faceCheckDecider.decide(state, command)
          for (const event of isRefused(decided) ? [] : decided) {
            if (event.type === 'AttemptsCounted') {
              const { number } = state as FaceCheckRecord
              expect(counted.has(number)).toBe(false)
              counted.add(number)
            }
            const before = state.status
            state = faceCheckDecider.evolve(state, event)
            if (before === 'pending' && state.status !== 'pending') decisions += 1
          }
          if (state.status === 'none' || state.status === 'pending') continue
          expect(state.session).toBeNull()
          expect(owedBy(state)).not.toContain('begin-session')
        }
        expect(decisions).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('begins no session that could not be read before its end', () => {
    const last = EXPIRES_AT_MS - 180_000 - 10_000
    expect(owedBy(after(reached('pending'), asked(last)))).toEqual(['begin-session'])
    const tooLate = after(reached('pending'), asked(last + 1))
    expect(tooLate).toMatchObject({ session: null, word: 'over', status: 'pending' })
    // One that the vendor was asked for in vain, until it was too late.
    const given = after(reached('pending (beginning)'), { ...commands.RenumberSession, atMs: last + 1 })
    expect(given).toMatchObject({ session: null, word: 'over' })
  })

  it('has ten sessions at most, however many captures a wallet does not do', () => {
    let state = reached('pending')
    for (let number = 1; number <= 12; number += 1)
      state = after(
        state,
        asked(number * 20_000),
        { ...commands.RecordSessionBegun, atMs: number * 20_000 + 1, number, sessionId: `s${number}` },
        { ...commands.RecordSessionLapsed, atMs: number * 20_000 + 2, number },
      )
    expect(state).toMatchObject({ attempts: 0, status: 'pending', word: 'over' })
    expect(state.sessionIds).toHaveLength(10)
  })

  it('takes no session from the vendor that it has had, because what came of it would count again', () => {
    const failed: FaceCheckCommand = { ...attempts, attempts: 1, attemptsRemaining: 2, status: 'pending' }
    const wanting = after(reached('pending (reading)'), failed, asked(50_000))
    const replayed = after(wanting, { ...commands.RecordSessionBegun, atMs: 51_000, number: 2 })
    expect(replayed).toEqual(wanting)
    expect(after(wanting, { ...commands.RecordSessionBegun, number: 2, sessionId: 's2' })).toMatchObject({
      session: { number: 2, begun: { sessionId: 's2' } },
    })
  })

  it('says a few times that it is over, and not for ever, to a wallet that goes on asking', () => {
    const tooLate = EXPIRES_AT_MS - 180_000
    let state = reached('pending')
    let events = 0
    for (let time = 0; time < 1_000; time += 1)
      for (const command of [
        asked(tooLate),
        { type: 'RecordWordDelivered', atMs: tooLate, words: state.words + 1 } as const,
      ]) {
        const decided = faceCheckDecider.decide(state, command)
        events += isRefused(decided) ? 0 : decided.length
        state = after(state, command)
      }
    expect(state).toMatchObject({ status: 'pending', word: null, words: 40 })
    expect(events).toBe(80)
  })

  it('reads a session of which it hears nothing before it can be gone', () => {
    const timers = faceCheckDecider.timers?.(reached('pending (session)')) ?? []
    const timer = timers.find(({ id }) => id === 'reading')
    expect(timer?.dueMs).toBe(10_000 + 180_000 - 10_000)
    expect(dueBy('reading', 1)).toEqual({ type: 'ReadSession', atMs: 1 })
    expect(owedBy(after(reached('pending (session)'), commands.ReadSession))).toEqual(['read-session'])
    expect(faceCheckDecider.timers?.(reached('pending (reading)'))).toHaveLength(1)
  })

  it('gives a wallet that asks again the same session, and after its end another', () => {
    const state = reached('pending (session)')
    const again = after(state, asked(13_000))
    expect(owedBy(again)).toEqual(['tell-session'])
    // However often it asks until then.
    expect(after(again, asked(13_001), asked(13_002))).toEqual(again)
    const old = after(state, asked(185_000))
    expect([owedBy(old), old.wantsNext]).toEqual([['read-session'], true])
    const next = after(old, commands.RecordSessionLapsed)
    expect(next).toMatchObject({
      number: 2,
      wantsNext: false,
      session: { number: 2, begun: null },
      word: null,
    })
    expect(owedBy(next)).toEqual(['begin-session', 'end-session'])
  })

  it('tells the wallet after a failed attempt that it may try again, and no more', () => {
    const failed: FaceCheckCommand = { ...attempts, attempts: 1, attemptsRemaining: 2, status: 'pending' }
    const state = after(reached('pending (reading)'), failed)
    expect(owedBy(state)).toEqual(['end-session', 'deliver-word'])
    expect(state).toMatchObject({ word: 'again', words: 1, attempts: 1, attemptsRemaining: 2 })
    expect(owedBy(after(state, asked(50_000)))).toEqual(['begin-session', 'end-session'])
  })

  it('ends what the vendor began although nobody waits for it any more', () => {
    const late = after(reached('expired'), commands.RecordSessionBegun)
    expect(owedBy(late)).toEqual(['end-session'])
    expect(isCheckOver(late)).toBe(false)
    expect(isCheckOver(after(late, commands.RecordSessionGone))).toBe(true)
  })

  it('that a wallet gives up ends its exchange', () => {
    const state = after(reached('pending'), commands.ReceiveCheckProblem)
    expect(owedBy(state)).toEqual(['end-exchange'])
    expect(isCheckOver(after(state, commands.RecordExchangeEnded))).toBe(true)
  })

  it('is stored as it is, in every state', () => {
    for (const name of Object.keys(machine.paths)) {
      const state = runPath(machine, name)
      const { snapshots } = faceCheckStored
      expect(snapshots.decode(snapshots.encode(state, null), null)).toEqual(state)
    }
  })
})
