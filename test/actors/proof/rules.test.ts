import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureIn, HOLDER_WAIT_MS } from '../../../src/domain/exchange.ts'
import { proofDecider, type ProofTypes } from '../../../src/actors/proof/rules.ts'
import type { ProofCommand } from '../../../src/actors/proof/state.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import {
  itFollowsItsTable,
  itIsHiddenFromStrangers,
  runPath,
  type Machine,
} from '../../domain/transition-table.ts'

type CommandType = ProofCommand['type']
type Column =
  | ProofTypes['state']['status']
  | 'done (erased)'
  | 'presentation-received (face check)'
  | 'presentation-received (held)'
  | 'abandoned (face check)'

const request: ProofCommand = {
  type: 'RequestProof',
  atMs: 1000,
  tenant: 'ten_00aaaaaaaa',
  connectionId: 'con_00aaaaaaaa',
  externalId: null,
  proofTemplateId: 'tpl_00aaaaaaaa',
  threadId: 'thread',
  request: '{}',
}
const gated = {
  faceCheck: {
    id: 'fck_00aaaaaaaa',
    vendor: 'aws_rekognition',
    status: 'pending',
    attempts: 0,
    attemptsRemaining: 3,
    attemptsMax: 3,
    expiresAtMs: 1_801_000,
    decidedAtMs: null,
  },
} as const
const passed = {
  type: 'RecordFaceCheck',
  atMs: 6000,
  checkId: 'fck_00aaaaaaaa',
  status: 'passed',
  attempts: 1,
  attemptsRemaining: 2,
  result: { livenessScore: 98, matchScore: 96, reason: null },
} as const
const fromHolder = { from: 'con_00aaaaaaaa', prefix: 'https://didcomm.org/' } as const
const commands: Record<CommandType | 'EraseRecord (with its connection)', ProofCommand> = {
  RequestProof: request,
  RecordProofRequestDelivered: { type: 'RecordProofRequestDelivered', atMs: 2000 },
  RequestInOtherFormat: { type: 'RequestInOtherFormat', atMs: 32_000 },
  ReceivePresentation: {
    type: 'ReceivePresentation',
    atMs: 3000,
    ...fromHolder,
    presentation: { id: 'presentation', hash: 'h' },
  },
  RecordProofVerified: {
    type: 'RecordProofVerified',
    atMs: 4000,
    verified: true,
    disclosed: { person: { name: 'Ada' } },
  },
  RecordProofHeld: { type: 'RecordProofHeld', atMs: 4000, result: { id: 'result', hash: 'h' } },
  ReceiveProofProposal: { type: 'ReceiveProofProposal', atMs: 3000, ...fromHolder },
  ReceiveProofProblem: {
    type: 'ReceiveProofProblem',
    atMs: 3000,
    ...fromHolder,
    code: 'abandoned',
    text: '',
  },
  RecordFaceCheck: passed,
  AbandonForFaceCheck: { type: 'AbandonForFaceCheck', atMs: 6000 },
  RecordLastWord: { type: 'RecordLastWord', atMs: 5000, became: 'delivered' },
  CancelExchange: { type: 'CancelExchange', atMs: 8000, tenant: 'ten_00aaaaaaaa' },
  EraseRecord: { type: 'EraseRecord', atMs: 9000, tenant: 'ten_00aaaaaaaa', by: 'api_key' },
  'EraseRecord (with its connection)': {
    type: 'EraseRecord',
    atMs: 9000,
    tenant: 'ten_00aaaaaaaa',
    by: 'api_key',
    withConnection: true,
  },
  RetryLastWord: { type: 'RetryLastWord', atMs: 5000 },
  RecordFaceCheckEnded: { type: 'RecordFaceCheckEnded', atMs: 9000 },
  AbandonProof: { type: 'AbandonProof', atMs: 10_000 + HOLDER_WAIT_MS },
}
const received = [request, commands.ReceivePresentation]
const done = [...received, commands.RecordProofVerified]
const checking = [{ ...request, ...gated } as ProofCommand, commands.ReceivePresentation]
const held = [...checking, commands.RecordProofHeld]
const paths: Record<Column, readonly ProofCommand[]> = {
  none: [],
  'request-sent': [request],
  'presentation-received': received,
  done,
  declined: [request, commands.ReceiveProofProblem],
  abandoned: [request, commands.AbandonProof],
  'done (erased)': [...done, commands.EraseRecord],
  'presentation-received (face check)': checking,
  'presentation-received (held)': held,
  'abandoned (face check)': [...checking, commands.CancelExchange],
}
const machine: Machine<ProofTypes> = { decider: proofDecider, paths, commands }

describe('a proof exchange', () => {
  itFollowsItsTable('EXCHANGES.md', machine)
  itIsHiddenFromStrangers(machine, 'request-sent')

  it('decides once, and forgets the presentation with the decision', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.values(commands)), { maxLength: 30 }), (sent) => {
        let state: ProofTypes['state'] = { status: 'none' }
        let decisions = 0
        for (const command of [request, ...sent]) {
          const decided = proofDecider.decide(state, command)
          for (const event of isRefused(decided) ? [] : decided) {
            if (event.type === 'ProofVerified') decisions += 1
            state = proofDecider.evolve(state, event)
          }
          expect(proofDecider.owed?.(state).length).toBeLessThanOrEqual(1)
          if (state.status === 'done') expect(state).not.toHaveProperty('presentation')
        }
        expect(decisions).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('that is erased keeps whether it held, and nothing that the holder disclosed or said', () => {
    for (const [state, gone] of [
      ['done', { verified: true, disclosed: null }],
      ['declined', { errorMessage: null }],
      ['abandoned', { errorMessage: null }],
    ] as const) {
      const over = runPath(machine, state)
      const decided = proofDecider.decide(over, commands.EraseRecord)
      const [event] = isRefused(decided) ? [] : decided
      if (event === undefined) throw new Error('nothing happened')
      expect(proofDecider.evolve(over, event)).toMatchObject({ status: state, erasedAtMs: 9000, ...gone })
    }
  })

  it('behind a face check keeps its result back until it is passed, in whatever order that and the result come', () => {
    const after = (...sent: readonly ProofCommand[]) =>
      sent.reduce<ProofTypes['state']>((state, command) => {
        const decided = proofDecider.decide(state, command)
        return isRefused(decided) ? state : decided.reduce(proofDecider.evolve, state)
      }, proofDecider.initialState)
    const kindsOwed = (state: ProofTypes['state']) =>
      (proofDecider.owed?.(state) ?? []).map(({ kind }) => kind)
    expect(after(...held)).toMatchObject({ status: 'presentation-received', presentation: null })
    // Its wallet may not have heard of the check.
    expect(kindsOwed(after(...held))).toEqual(['tell-of-check'])
    expect(kindsOwed(after(...checking))).toEqual(['tell-of-check', 'verify-presentation'])
    const told = commands.RecordProofRequestDelivered
    expect(kindsOwed(after(...held, told))).toEqual([])
    expect(kindsOwed(after(...checking, told))).toEqual(['verify-presentation'])
    expect(kindsOwed(after(...held, passed))).toEqual(['release-result'])
    expect(kindsOwed(after(...checking, passed))).toEqual(['verify-presentation'])
    expect(kindsOwed(after(...checking, passed, commands.RecordProofHeld))).toEqual(['release-result'])
    expect(after(...held, passed, commands.RecordProofVerified)).toMatchObject({
      status: 'done',
      verified: true,
      faceCheck: { status: 'passed' },
    })
  })

  it('whose holder hangs up during its face check is over, whatever was presented', () => {
    const hangup = { ...commands.CancelExchange, by: 'holder' } as ProofCommand
    expect(proofDecider.decide(runPath(machine, 'presentation-received (held)'), hangup)).toMatchObject([
      { type: 'ProofAbandoned', faceCheck: { status: 'cancelled' } },
    ])
  })

  it('waits 24 hours for the holder, not a millisecond less', () => {
    const reached = runPath(machine, 'request-sent')
    const dueMs = proofDecider.timers?.(reached)[0]?.dueMs ?? 0
    expect(dueMs).toBe(1000 + HOLDER_WAIT_MS)
    expect(proofDecider.decide(reached, { type: 'AbandonProof', atMs: dueMs - 1 })).toEqual([])
    expect(proofDecider.timers?.(runPath(machine, 'done'))).toEqual([])
  })

  it('whose holder hangs up is over, unless there is something to verify', () => {
    const hangup = { ...commands.CancelExchange, by: 'holder' } as ProofCommand
    const decided = (state: Column) => proofDecider.decide(runPath(machine, state), hangup)
    expect(decided('request-sent')).toMatchObject([
      { type: 'ProofAbandoned', errorMessage: 'The holder closed the connection.', problem: null },
    ])
    for (const state of ['presentation-received', 'done', 'declined'] as const)
      expect(decided(state)).toEqual([])
    const other = { ...hangup, tenant: 'ten_00bbbbbbbb' } as ProofCommand
    expect(proofDecider.decide(runPath(machine, 'presentation-received'), other)).toMatchObject({
      refused: 'not_found',
    })
  })

  it.each([
    ['request-sent', commands.ReceiveProofProblem, 'declined_by_holder'],
    ['request-sent', commands.ReceiveProofProposal, 'proposed_something_else'],
    ['presentation-received', commands.ReceiveProofProblem, 'reported_by_wallet'],
    ['request-sent', commands.AbandonProof, 'no_answer'],
    ['presentation-received', commands.AbandonProof, 'verification_failed'],
    [
      'presentation-received (face check)',
      { type: 'AbandonProof', atMs: 1_801_000 },
      'face_check_not_passed',
    ],
    ['presentation-received (face check)', commands.AbandonForFaceCheck, 'face_check_refused'],
    ['request-sent', commands.CancelExchange, 'cancelled'],
    ['request-sent', { ...commands.CancelExchange, by: 'holder' } as ProofCommand, 'closed_by_holder'],
    [
      'presentation-received',
      { type: 'RecordProofVerified', atMs: 5000, verified: false, disclosed: {} },
      'not_verified',
    ],
  ] as const)('that fails as %s keeps in a word why', (state, ending, code) => {
    const reached = runPath(machine, state)
    const decided = proofDecider.decide(reached, ending)
    const ended = (isRefused(decided) ? [] : decided).reduce(proofDecider.evolve, reached)
    const steps = ended.status === 'none' ? [] : ended.steps
    expect(steps.flatMap((step) => failureIn(step) ?? [])).toEqual([code])
  })

  it('that holds has failed for no reason', () => {
    const verified = runPath(machine, 'done')
    const steps = verified.status === 'none' ? [] : verified.steps
    expect(steps.flatMap((step) => failureIn(step) ?? [])).toEqual([])
  })
})
