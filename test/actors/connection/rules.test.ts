import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefused } from '../../../src/domain/decider.ts'
import { failureIn, HOLDER_WAIT_MS } from '../../../src/domain/exchange.ts'
import { type ConnectionTypes, connectionDecider } from '../../../src/actors/connection/rules.ts'
import { isConnectionOver, type ExchangePage } from '../../../src/actors/connection/closing.ts'
import { whyNotReused } from '../../../src/actors/connection/reuse.ts'
import type { ConnectionCommand } from '../../../src/actors/connection/state.ts'
import {
  type FormatsSeen,
  formatOf,
  isNews,
  serviceOfKey,
} from '../../../src/actors/connection/wallet-ways.ts'
import { runDecider } from '../../domain/run-decider.ts'
import { itFollowsItsTable, type Machine, runPath } from '../../domain/transition-table.ts'

type CommandType = ConnectionCommand['type']
type Column =
  | ConnectionTypes['state']['status']
  | 'request-received (failed)'
  | 'closed (erased)'
  | 'closed (with its exchanges)'
  | 'closed (hung up)'

const tenant = 'ten_00aaaaaaaa'
const request: ConnectionCommand = {
  type: 'RequestConnection',
  atMs: 1000,
  tenant,
  invitationId: 'inv_00aaaaaaaa',
  externalId: null,
  threadId: 'thread',
  theirLabel: 'Phone',
  theirDid: 'did:peer:4z',
  theirService: { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] },
  ownSeed: 'seed',
  ownKey: 'own',
  protocol: 'didexchange/1.1',
  prefix: 'https://didcomm.org/',
}
const pageOf = (
  list: ExchangePage['list'],
  isComplete = true,
  by: 'api_key' | 'holder' = 'api_key',
): ConnectionCommand => ({
  type: 'RecordExchangesErased',
  atMs: 7000,
  by,
  at: { list, page: 1 },
  isComplete,
  isLast: true,
})
const commands: Record<CommandType, ConnectionCommand> = {
  RequestConnection: request,
  RecordResponseDelivered: { type: 'RecordResponseDelivered', atMs: 2000, number: 1 },
  RecordResponseFailed: { type: 'RecordResponseFailed', atMs: 2000, number: 1 },
  RecordResponseImpossible: { type: 'RecordResponseImpossible', atMs: 2000, reason: 'r', number: 1 },
  RetryResponse: { type: 'RetryResponse', atMs: 100_000 },
  RepeatRequest: { type: 'RepeatRequest', atMs: 100_000 },
  GiveWay: { type: 'GiveWay', atMs: 301_000 },
  ReceiveConnectionComplete: { type: 'ReceiveConnectionComplete', atMs: 3000 },
  ReceiveConnectionProblem: {
    type: 'ReceiveConnectionProblem',
    atMs: 3000,
    code: 'request_not_accepted',
    text: '',
  },
  AbandonConnection: { type: 'AbandonConnection', atMs: 10_000 + HOLDER_WAIT_MS },
  ReceiveHangup: { type: 'ReceiveHangup', atMs: 4000, senderKey: 'k' },
  RotateDid: {
    type: 'RotateDid',
    atMs: 4000,
    senderKey: 'k',
    theirDid: 'did:peer:2.V',
    theirService: { endpoint: 'https://phone.example', recipientKeys: ['l'], routingKeys: [] },
  },
  RecordFormats: { type: 'RecordFormats', atMs: 4000, senderKey: 'k', formats: ['hlindy'] },
  RecordReuse: { type: 'RecordReuse', atMs: 4000, invitationId: 'inv_00bbbbbbbb' },
  CloseConnection: { type: 'CloseConnection', atMs: 5000, tenant, by: 'api_key' },
  EraseRecord: { type: 'EraseRecord', atMs: 6000, tenant, by: 'api_key' },
  ContinueErasure: { type: 'ContinueErasure', atMs: 100_000 },
  RecordExchangesErased: pageOf('credential'),
  RequireConnectionReady: { type: 'RequireConnectionReady', tenant },
}
const sent = [request, commands.RecordResponseDelivered]
const completed = [...sent, commands.ReceiveConnectionComplete]
const afterErasure = [...completed, commands.EraseRecord]
const hungUp = [...completed, commands.ReceiveHangup]
const paths: Record<Column, readonly ConnectionCommand[]> = {
  none: [],
  'request-received': [request],
  'request-received (failed)': [request, commands.RecordResponseFailed],
  'response-sent': sent,
  completed,
  abandoned: [...sent, commands.AbandonConnection],
  closed: [...completed, commands.CloseConnection],
  'closed (erased)': afterErasure,
  'closed (with its exchanges)': [...afterErasure, pageOf('credential'), pageOf('proof')],
  'closed (hung up)': hungUp,
}
const machine: Machine<ConnectionTypes> = { decider: connectionDecider, paths, commands }

describe('a connection', () => {
  itFollowsItsTable('EXCHANGES.md', machine)

  it('that is completed before we noted the response tells both changes, in order', () => {
    const { events } = runDecider(connectionDecider, [request, commands.ReceiveConnectionComplete])
    expect(events.slice(1).map((event) => 'change' in event && event.change)).toEqual([
      { state: 'response-sent', previousState: 'request-received', sequence: 2 },
      { state: 'completed', previousState: 'response-sent', sequence: 3 },
    ])
  })

  it('of another tenant looks like one that does not exist', () => {
    const asked = { type: 'RequireConnectionReady', tenant: 'ten_00bbbbbbbb' } as const
    const decided = connectionDecider.decide(runPath(machine, 'completed'), asked)
    expect(decided).toMatchObject({ refused: 'connection_not_found' })
  })

  it('owes its response until it is delivered', () => {
    expect(connectionDecider.owed?.(runPath(machine, 'request-received'))).toMatchObject([
      { kind: 'deliver-response' },
    ])
    expect(connectionDecider.owed?.(runPath(machine, 'request-received (failed)'))).toEqual([])
    expect(connectionDecider.owed?.(runPath(machine, 'response-sent'))).toEqual([])
  })

  it('makes room for others after five minutes, and not before', () => {
    const early = { type: 'GiveWay', atMs: 300_999 } as const
    expect(connectionDecider.decide(runPath(machine, 'response-sent'), early)).toEqual([])
  })

  it('is written to six times at most, whatever its wallet, its timers and the outcomes do', () => {
    type Step = { readonly does: number; readonly afterMs: number; readonly isOld: boolean }
    const steps = fc.array(
      fc.record({
        does: fc.nat(6),
        afterMs: fc.constantFrom(0, 1_000, 61_000, 400_000, 9 * 3_600_000),
        isOld: fc.boolean(),
      }),
      { minLength: 10, maxLength: 80 },
    )
    const walk = (taken: readonly Step[]): void => {
      let { state } = runDecider(connectionDecider, [request])
      let atMs = 1_000
      const attempts = new Set<string>()
      const note = () => {
        for (const { id } of connectionDecider.owed?.(state) ?? []) attempts.add(id)
      }
      note()
      for (const { does, afterMs, isOld } of taken) {
        atMs += afterMs
        const number = (state.status === 'none' ? 0 : state.attempts.made) + (isOld ? 0 : 1)
        const command = [
          { type: 'RecordResponseFailed', atMs, number },
          { type: 'RecordResponseFailed', atMs, number },
          { type: 'RecordResponseDelivered', atMs, number },
          { type: 'RetryResponse', atMs },
          { type: 'RepeatRequest', atMs },
          { type: 'GiveWay', atMs },
          { type: 'AbandonConnection', atMs },
        ][does] as ConnectionCommand
        const decided = connectionDecider.decide(state, command)
        if ('refused' in decided) continue
        for (const event of decided) state = connectionDecider.evolve(state, event)
        note()
      }
      expect(attempts.size).toBeLessThanOrEqual(6)
    }
    fc.assert(fc.property(steps, walk), { numRuns: 2_000 })
  })
})

describe('a connection that is erased', () => {
  const states = ['request-received', 'response-sent', 'completed', 'abandoned'] as const

  it.each(states)('is closed from %s, and says both', (state) => {
    const before = runPath(machine, state)
    const events = connectionDecider.decide(before, commands.EraseRecord)
    const sequence = before.status === 'none' ? 0 : before.sequence
    expect(events).toMatchObject([
      { type: 'ConnectionClosed', change: { state: 'closed', previousState: state, sequence: sequence + 1 } },
      { type: 'RecordErased', by: 'api_key', tenant, sequence: sequence + 2 },
    ])
  })

  it('keeps nothing personal, and owes its holder nothing', () => {
    const erased = runPath(machine, 'closed (erased)')
    expect(erased).toMatchObject({
      status: 'closed',
      theirLabel: null,
      theirDid: null,
      theirService: null,
      ownSeed: null,
      errorMessage: null,
      erasedAtMs: 6000,
      erasedBy: 'api_key',
    })
    expect(connectionDecider.timers?.(erased)).toEqual([])
  })

  it.each(['CloseConnection', 'EraseRecord'] as const)(
    'is not to be had by another organisation: %s',
    (type) => {
      const asked = { ...commands[type], tenant: 'ten_00bbbbbbbb' } as ConnectionCommand
      expect(connectionDecider.decide(runPath(machine, 'completed'), asked)).toMatchObject({
        refused: 'not_found',
      })
    },
  )

  it('is finished ten seconds after it was closed, by whom it was asked', () => {
    const closed = runPath(machine, 'closed')
    expect(connectionDecider.timers?.(closed)).toEqual([{ id: 'closing', dueMs: 15_000 }])
    expect(connectionDecider.decide(closed, { type: 'ContinueErasure', atMs: 14_999 })).toEqual([])
    expect(connectionDecider.decide(closed, { type: 'ContinueErasure', atMs: 15_000 })).toMatchObject([
      { type: 'RecordErased', by: 'api_key', sequence: 5 },
    ])
  })

  it('owes page after page of its exchanges, and no page twice', () => {
    const owedBy = (path: readonly ConnectionCommand[]) =>
      (connectionDecider.owed?.(runDecider(connectionDecider, path).state) ?? []).map((effect) =>
        effect.kind === 'erase-exchanges' ? effect.page : null,
      )
    const first = { ...pageOf('credential'), isLast: false } as ConnectionCommand
    expect(owedBy(afterErasure)).toEqual([{ list: 'credential', page: 1 }])
    expect(owedBy([...afterErasure, first])).toEqual([{ list: 'credential', page: 2 }])
    expect(owedBy([...afterErasure, first, first])).toEqual([{ list: 'credential', page: 2 }])
    expect(owedBy([...afterErasure, pageOf('credential')])).toEqual([{ list: 'proof', page: 1 }])
    expect(owedBy([...afterErasure, pageOf('credential'), pageOf('proof')])).toEqual([])
  })

  it('whose wallet hung up owes the end of its exchanges, and their erasure once more after that', () => {
    const owedBy = (path: readonly ConnectionCommand[]) =>
      (connectionDecider.owed?.(runDecider(connectionDecider, path).state) ?? []).map(({ id }) => id)
    expect(owedBy(hungUp)).toEqual(['thread:end:credential:1'])
    const ended = [...hungUp, pageOf('credential', true, 'holder'), pageOf('proof', true, 'holder')]
    expect(owedBy(ended)).toEqual([])
    expect(owedBy([...ended, commands.EraseRecord])).toEqual(['thread:erasure:credential:1'])
    // The outcome of a page that was ended is none of one that is to be erased.
    const late = [...hungUp, commands.EraseRecord, pageOf('credential', true, 'holder')]
    expect(owedBy(late)).toEqual(['thread:erasure:credential:1'])
    expect(owedBy([...hungUp, commands.EraseRecord, pageOf('credential')])).toEqual([
      'thread:erasure:proof:1',
    ])
  })

  it('whose wallet hung up goes again through a page that could not be read, an hour later', () => {
    const { state } = runDecider(connectionDecider, [
      ...hungUp,
      pageOf('credential', false, 'holder'),
      pageOf('proof', true, 'holder'),
    ])
    expect(connectionDecider.timers?.(state)).toEqual([{ id: 'closing', dueMs: 7_000 + 3_600_000 }])
    expect(
      connectionDecider.decide(state, { type: 'ContinueErasure', atMs: 7_000 + 3_600_000 }),
    ).toMatchObject([{ type: 'ConnectionExchangesDue' }])
  })

  it('whose wallet hung up is closed once, and is not closed again by its erasure', () => {
    const { events } = runDecider(connectionDecider, [...hungUp, commands.EraseRecord])
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['ConnectionHungUp', 'RecordErased'])
  })

  describe('remembers what its wallet knows', () => {
    const DAY_MS = 86_400_000
    type Seen = readonly [atDay: number, ...formats: ('anoncreds' | 'hlindy')[]]
    const known = (...seen: readonly Seen[]) => {
      const learned = seen.map(
        ([day, ...formats]) =>
          ({ type: 'RecordFormats', atMs: 4000 + day * DAY_MS, senderKey: 'k', formats }) as const,
      )
      const { state, events } = runDecider(connectionDecider, [...completed, ...learned])
      const { formats, formatsAtMs = 0 } = state as FormatsSeen
      return [formats, (formatsAtMs - 4000) / DAY_MS, events.length - completed.length]
    }

    it('by the message that showed it last', () => {
      expect(known([0]).at(0)).toBeUndefined()
      expect(known([0, 'hlindy'])).toEqual([['hlindy'], 0, 1])
      expect(known([0, 'hlindy', 'anoncreds'])).toEqual([['anoncreds', 'hlindy'], 0, 1])
      expect(known([0, 'hlindy'], [1, 'anoncreds'])).toEqual([['anoncreds'], 1, 2])
      expect(known([0, 'anoncreds'], [1, 'hlindy'])).toEqual([['hlindy'], 1, 2])
    })

    it('and notes the same again while the newer format is used, and of the older one when its time is over', () => {
      expect(known([0, 'anoncreds'], [14, 'anoncreds'])).toEqual([['anoncreds'], 0, 1])
      expect(known([0, 'anoncreds'], [15, 'anoncreds'])).toEqual([['anoncreds'], 15, 2])
      expect(known([0, 'hlindy'], [29, 'hlindy'])).toEqual([['hlindy'], 0, 1])
      expect(known([0, 'hlindy'], [30, 'hlindy'])).toEqual([['hlindy'], 30, 2])
    })

    it('and what a clock far ahead has noted is not known', () => {
      const [now, ahead] = [1_000 * DAY_MS, 1_365 * DAY_MS]
      const seen = { formats: ['hlindy'], formatsAtMs: ahead } as const
      expect([formatOf(seen, now), isNews(seen, ['hlindy'], now)]).toEqual([null, true])
      expect([formatOf(seen, ahead), isNews(seen, ['hlindy'], ahead)]).toEqual(['hlindy', false])
    })

    it('and notes a change once in a minute at most', () => {
      const later = 59_999 / DAY_MS
      expect(known([0, 'hlindy'], [later, 'anoncreds'])).toEqual([['hlindy'], 0, 1])
      expect(known([0, 'hlindy'], [60_000 / DAY_MS, 'anoncreds']).at(0)).toEqual(['anoncreds'])
    })
  })

  it('remembers which other invitations its wallet answered by it, and is for sixteen of them', () => {
    const used = (...invitations: readonly string[]) => {
      const reused = invitations.map(
        (invitationId) => ({ type: 'RecordReuse', atMs: 4000, invitationId }) as const,
      )
      return runDecider(connectionDecider, [...completed, ...reused])
    }
    const own = 'inv_00aaaaaaaa'
    expect(used(own).state).not.toHaveProperty('reusedFor')
    expect(used('inv_1', 'inv_2', 'inv_1').state).toMatchObject({ reusedFor: ['inv_1', 'inv_2'] })
    const { state } = used(...Array.from({ length: 16 }, (_, each) => `inv_${each}`))
    if (state.status === 'none') throw new Error('there is no connection')
    expect(whyNotReused(state, 'inv_16')).toMatchObject({ refused: 'connection_not_ready' })
    expect([whyNotReused(state, 'inv_15'), whyNotReused(state, own)]).toEqual([null, null])
    const decided = (invitationId: string) =>
      connectionDecider.decide(state, { type: 'RecordReuse', atMs: 4000, invitationId })
    expect([decided('inv_15'), decided(own)]).toEqual([[], []])
    // Its invitation was used up for it while others were recorded.
    expect(decided('inv_16')).toHaveLength(1)
  })

  it('whose DID changed takes messages under the old keys for ten minutes more', () => {
    const rotated = runDecider(connectionDecider, [...completed, commands.RotateDid]).state
    if (rotated.status === 'none') throw new Error('there is no connection')
    expect(rotated).toMatchObject({ theirDid: 'did:peer:2.V' })
    const endpointOf = (key: string, atMs: number) => serviceOfKey(rotated, key, atMs)?.endpoint
    expect(endpointOf('l', 4_000)).toBe('https://phone.example')
    expect(endpointOf('k', 603_999)).toBe('https://wallet.example')
    expect(endpointOf('k', 604_000)).toBeUndefined()
    expect(endpointOf('m', 4_000)).toBeUndefined()
    const decideAt = (atMs: number) =>
      connectionDecider.decide(rotated, {
        type: 'RotateDid',
        atMs,
        senderKey: 'l',
        theirDid: 'did:peer:2.W',
        theirService: null,
      })
    expect(decideAt(63_999)).toMatchObject({ refused: 'message_unexpected' })
    expect(decideAt(64_000)).toMatchObject([{ type: 'ConnectionDidRotated', theirDid: 'did:peer:2.W' }])
    const erased = runDecider(connectionDecider, [...completed, commands.RotateDid, commands.EraseRecord])
    expect(erased.state).toMatchObject({ former: null, theirService: null })
  })

  it('whose DID changed is neither moved nor ended by a key of before, which may say again what it said', () => {
    const { state } = runDecider(connectionDecider, [...completed, commands.RotateDid])
    const decided = (command: object) => connectionDecider.decide(state, command as ConnectionCommand)
    const later = { ...commands.RotateDid, atMs: 100_000 }
    expect(decided(later)).toEqual([])
    for (const senderKey of ['k', 'm']) {
      const back = { ...later, senderKey, theirDid: 'did:peer:4z' }
      expect(decided(back)).toMatchObject({
        refused: 'message_unexpected',
        reason: expect.stringMatching(/before/) as string,
      })
      expect(decided({ ...commands.ReceiveHangup, senderKey })).toMatchObject({
        reason: expect.stringMatching(/before/) as string,
      })
    }
    const theirs = { ...later, senderKey: 'l', theirDid: 'did:peer:4z' }
    expect(decided(theirs)).toMatchObject([{ type: 'ConnectionDidRotated' }])
    expect(decided({ ...commands.ReceiveHangup, senderKey: 'l' })).toMatchObject([
      { type: 'ConnectionHungUp' },
    ])
  })

  it('whose DID changed has to show once more what its wallet knows', () => {
    const { state } = runDecider(connectionDecider, [
      ...completed,
      commands.RecordFormats,
      commands.RotateDid,
    ])
    expect(state).toMatchObject({ formats: [] })
    expect(connectionDecider.decide(state, commands.RecordFormats)).toEqual([])
    const shown = { ...commands.RecordFormats, senderKey: 'l' } as ConnectionCommand
    expect(connectionDecider.decide(state, shown)).toMatchObject([{ formats: ['hlindy'] }])
  })

  it.each([
    ['request-received', commands.ReceiveConnectionProblem, 'reported_by_wallet'],
    ['response-sent', commands.AbandonConnection, 'no_answer'],
    ['request-received', commands.RecordResponseImpossible, 'unreachable'],
    ['response-sent', commands.GiveWay, 'gave_way'],
  ] as const)('that fails as %s keeps in a word why', (state, ending, code) => {
    const reached = runPath(machine, state)
    const decided = connectionDecider.decide(reached, ending)
    const ended = (isRefused(decided) ? [] : decided).reduce(connectionDecider.evolve, reached)
    const steps = ended.status === 'none' ? [] : ended.steps
    expect(steps.flatMap((step) => failureIn(step) ?? [])).toEqual([code])
  })

  it('is over when it is abandoned, or erased with all its exchanges', () => {
    const isOver = (path: readonly ConnectionCommand[]) =>
      isConnectionOver(runDecider(connectionDecider, path).state)
    expect(isConnectionOver(runPath(machine, 'completed'))).toBe(false)
    expect(isConnectionOver(runPath(machine, 'abandoned'))).toBe(true)
    expect(isConnectionOver(runPath(machine, 'closed'))).toBe(false)
    expect(isOver([...afterErasure, pageOf('credential')])).toBe(false)
    expect(isOver([...afterErasure, pageOf('credential', false), pageOf('proof')])).toBe(false)
    expect(isOver([...afterErasure, pageOf('credential'), pageOf('proof')])).toBe(true)
  })

  it('comes back in an hour to the first page with an exchange that cannot be read', () => {
    const path = [...afterErasure, pageOf('credential', false), pageOf('proof')]
    const { state } = runDecider(connectionDecider, path)
    const dueMs = 7000 + 3_600_000
    expect(connectionDecider.owed?.(state)).toEqual([])
    expect(connectionDecider.timers?.(state)).toEqual([{ id: 'closing', dueMs }])
    const later = runDecider(connectionDecider, [...path, { type: 'ContinueErasure', atMs: dueMs }])
    expect(connectionDecider.owed?.(later.state)).toMatchObject([{ page: { list: 'credential', page: 1 } }])
    const done = runDecider(connectionDecider, [
      ...path,
      { type: 'ContinueErasure', atMs: dueMs },
      pageOf('credential'),
      pageOf('proof'),
    ])
    expect(connectionDecider.owed?.(done.state)).toEqual([])
    expect(connectionDecider.timers?.(done.state)).toEqual([])
  })
})
