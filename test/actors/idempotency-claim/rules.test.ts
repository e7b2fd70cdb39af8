import { describe, expect, it } from 'vitest'
import {
  CLAIM_LIFETIME_MS,
  type ClaimCommand,
  claimDecider,
  type IdempotencyClaim,
} from '../../../src/actors/idempotency-claim/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const answer = { status: 201, sealedBody: 'sealed' }
const request = (changes: Partial<Extract<ClaimCommand, { type: 'Claim' }>> = {}): ClaimCommand => ({
  type: 'Claim',
  run: 'one',
  recordId: 'rec_1',
  fingerprint: 'f',
  atMs: 0,
  runUntilMs: 100,
  ...changes,
})
const after = (...commands: ClaimCommand[]) => runDecider(claimDecider, commands)
const lastReply = (...commands: ClaimCommand[]) => after(...commands).replies.at(-1)

type Expected = Record<IdempotencyClaim['status'], string>
const reach: Record<IdempotencyClaim['status'], readonly ClaimCommand[]> = {
  free: [],
  claimed: [request()],
  answered: [request(), { type: 'StoreAnswer', run: 'one', answer }],
}
const table: Record<ClaimCommand['type'], { readonly command: ClaimCommand; readonly to: Expected }> = {
  Claim: {
    command: request({ run: 'two' }),
    to: { free: 'claimed', claimed: 'claimed', answered: 'answered' },
  },
  StoreAnswer: {
    command: { type: 'StoreAnswer', run: 'one', answer },
    to: { free: 'free', claimed: 'answered', answered: 'answered' },
  },
  Release: {
    command: { type: 'Release', run: 'one' },
    to: { free: 'free', claimed: 'free', answered: 'answered' },
  },
  Yield: {
    command: { type: 'Yield', run: 'one' },
    to: { free: 'free', claimed: 'claimed', answered: 'answered' },
  },
}
const transitions = Object.entries(table).flatMap(([type, { command, to }]) =>
  Object.entries(to).map(([from, reached]) => ({
    from: from as IdempotencyClaim['status'],
    type,
    command,
    reached,
  })),
)

describe('an idempotency claim', () => {
  it.each(transitions)('that is $from is $reached after $type', ({ from, command, reached }) => {
    expect(after(...reach[from], command).state.status).toBe(reached)
  })

  it('runs for the first, and is in progress for the second that asks the same', () => {
    expect(lastReply(request())).toEqual({ is: 'run', recordId: 'rec_1' })
    expect(lastReply(request(), request({ run: 'two', recordId: 'rec_2' }))).toEqual({ is: 'in-progress' })
  })

  it('is refused to another request under the same key, running or answered', () => {
    const other = request({ run: 'two', fingerprint: 'g' })
    expect(lastReply(request(), other)).toEqual({ is: 'reused' })
    expect(lastReply(...reach.answered, other)).toEqual({ is: 'reused' })
  })

  it('repeats its answer', () => {
    expect(lastReply(...reach.answered, request({ run: 'two', recordId: 'rec_2' }))).toEqual({
      is: 'answered',
      recordId: 'rec_1',
      answer,
    })
  })

  it('is run again after a failure, at once and with the same record id', () => {
    expect(
      lastReply(
        request(),
        { type: 'Yield', run: 'one' },
        request({ run: 'two', recordId: 'rec_2', atMs: 1 }),
      ),
    ).toEqual({
      is: 'run',
      recordId: 'rec_1',
    })
  })

  it('is run again when nothing was heard of the run, with the same record id', () => {
    expect(lastReply(request(), request({ run: 'two', recordId: 'rec_2', atMs: 99 }))).toEqual({
      is: 'in-progress',
    })
    expect(lastReply(request(), request({ run: 'two', recordId: 'rec_2', atMs: 100 }))).toEqual({
      is: 'run',
      recordId: 'rec_1',
    })
  })

  it('is not released by a run that was taken over, but takes its answer', () => {
    const takenOver = [request(), request({ run: 'two', atMs: 100, runUntilMs: 200 })]
    expect(after(...takenOver, { type: 'Release', run: 'one' }).state.status).toBe('claimed')
    expect(after(...takenOver, { type: 'StoreAnswer', run: 'one', answer }).state.status).toBe('answered')
  })

  it('is free for any request after a refusal', () => {
    const again = request({ run: 'two', recordId: 'rec_2', fingerprint: 'g' })
    expect(lastReply(request(), { type: 'Release', run: 'one' }, again)).toEqual({
      is: 'run',
      recordId: 'rec_2',
    })
  })

  it('is free after a day', () => {
    const late = (atMs: number) => request({ run: 'two', recordId: 'rec_2', fingerprint: 'g', atMs })
    expect(lastReply(...reach.answered, late(CLAIM_LIFETIME_MS - 1))).toEqual({ is: 'reused' })
    expect(lastReply(...reach.answered, late(CLAIM_LIFETIME_MS))).toEqual({ is: 'run', recordId: 'rec_2' })
  })

  it('answers a repeated command from its state', () => {
    const { state } = after(request())
    expect(claimDecider.reply(state, request())).toEqual({ is: 'run', recordId: 'rec_1' })
    expect(claimDecider.reply(state, { type: 'Yield', run: 'one' })).toEqual({ is: 'noted' })
    expect(claimDecider.reply({ status: 'free' }, request())).toEqual({ is: 'in-progress' })
  })

  it('cannot be answered or released while it is free', () => {
    for (const event of [{ type: 'AnswerStored', answer }, { type: 'ClaimReleased' }] as const)
      expect(() => claimDecider.evolve({ status: 'free' }, event)).toThrow('impossible')
  })

  it('needs nothing by itself', () => {
    expect([claimDecider.owed, claimDecider.timers]).toEqual([undefined, undefined])
  })
})
