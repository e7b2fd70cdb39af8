import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOLDER_WAIT_MS } from '../../../src/domain/exchange.ts'
import { type ConnectionTypes, connectionDecider } from '../../../src/actors/connection/rules.ts'
import type { ConnectionCommand } from '../../../src/actors/connection/state.ts'
import { runDecider } from '../../domain/run-decider.ts'
import { itFollowsItsTable, type Machine, runPath } from '../../domain/transition-table.ts'

type CommandType = ConnectionCommand['type']
type Column = Exclude<ConnectionTypes['state']['status'], 'closed'> | 'request-received (failed)'

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
  RequireConnectionReady: { type: 'RequireConnectionReady', tenant },
}
const sent = [request, commands.RecordResponseDelivered]
const paths: Record<Column, readonly ConnectionCommand[]> = {
  none: [],
  'request-received': [request],
  'request-received (failed)': [request, commands.RecordResponseFailed],
  'response-sent': sent,
  completed: [...sent, commands.ReceiveConnectionComplete],
  abandoned: [...sent, commands.AbandonConnection],
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
