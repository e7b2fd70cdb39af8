import { describe, expect, it } from 'vitest'
import { HOLDER_WAIT_MS } from '../../../src/domain/exchange.ts'
import { connectionDecider } from '../../../src/actors/connection/rules.ts'
import type { ConnectionCommand, ConnectionState } from '../../../src/actors/connection/state.ts'
import type { Machine, TransitionTable } from '../../domain/transition-table.ts'
import { asMarkdown, documented, runPath, transitionsFrom } from '../../domain/transition-table.ts'

type CommandType = ConnectionCommand['type']
type Column = Exclude<ConnectionState['status'], 'closed'>

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
}
const commands: Record<CommandType, ConnectionCommand> = {
  RequestConnection: request,
  RecordResponseDelivered: { type: 'RecordResponseDelivered', atMs: 2000 },
  ReceiveConnectionComplete: { type: 'ReceiveConnectionComplete', atMs: 3000 },
  ReceiveConnectionProblem: {
    type: 'ReceiveConnectionProblem',
    atMs: 3000,
    code: 'request_not_accepted',
    text: '',
  },
  AbandonConnection: { type: 'AbandonConnection', atMs: 10_000 + HOLDER_WAIT_MS },
  RequireConnectionReady: { type: 'RequireConnectionReady', tenant },
  ReadConnection: { type: 'ReadConnection' },
}
const sent = [request, commands.RecordResponseDelivered]
const paths: Record<Column, readonly ConnectionCommand[]> = {
  none: [],
  'request-received': [request],
  'response-sent': sent,
  completed: [...sent, commands.ReceiveConnectionComplete],
  abandoned: [...sent, commands.AbandonConnection],
}
const machine: Machine<ConnectionState, ConnectionCommand, never, never, never> = {
  name: 'connection',
  decider: connectionDecider as never,
  paths,
  commands,
}

const none = 'refused: not_found'
const table: TransitionTable<Column, CommandType> = {
  none: {
    RequestConnection: 'request-received',
    RecordResponseDelivered: none,
    ReceiveConnectionComplete: none,
    ReceiveConnectionProblem: none,
    AbandonConnection: none,
    RequireConnectionReady: none,
    ReadConnection: none,
  },
  'request-received': {
    RequestConnection: '–',
    RecordResponseDelivered: 'response-sent',
    ReceiveConnectionComplete: 'completed',
    ReceiveConnectionProblem: 'abandoned',
    AbandonConnection: 'abandoned',
    RequireConnectionReady: 'refused: connection_not_ready',
    ReadConnection: '–',
  },
  'response-sent': {
    RequestConnection: '–',
    RecordResponseDelivered: '–',
    ReceiveConnectionComplete: 'completed',
    ReceiveConnectionProblem: 'abandoned',
    AbandonConnection: 'abandoned',
    RequireConnectionReady: 'refused: connection_not_ready',
    ReadConnection: '–',
  },
  completed: {
    RequestConnection: '–',
    RecordResponseDelivered: '–',
    ReceiveConnectionComplete: '– (repeated)',
    ReceiveConnectionProblem: '– (repeated)',
    AbandonConnection: '–',
    RequireConnectionReady: '–',
    ReadConnection: '–',
  },
  abandoned: {
    RequestConnection: '–',
    RecordResponseDelivered: '–',
    ReceiveConnectionComplete: '– (late)',
    ReceiveConnectionProblem: '– (repeated)',
    AbandonConnection: '–',
    RequireConnectionReady: 'refused: connection_not_ready',
    ReadConnection: '–',
  },
}

describe('a connection', () => {
  it.each(Object.keys(table) as Column[])('in state %s meets every command as its table says', (state) => {
    expect(transitionsFrom(machine, state)).toEqual(table[state])
  })

  it('is documented by the same table', () => {
    expect(documented()).toContain(asMarkdown(machine, table))
  })

  it('that is completed before we noted the response tells both changes, in order', () => {
    const { events } = connectionDecider.decide(
      runPath(machine, 'request-received'),
      commands.ReceiveConnectionComplete,
    )
    const changes = events.map((event) => event.change)
    expect(changes).toEqual([
      { state: 'response-sent', previousState: 'request-received', sequence: 2 },
      { state: 'completed', previousState: 'response-sent', sequence: 3 },
    ])
  })

  it('of another tenant looks like one that does not exist', () => {
    const asked = { type: 'RequireConnectionReady', tenant: 'ten_00bbbbbbbb' } as const
    const { reply } = connectionDecider.decide(runPath(machine, 'completed'), asked)
    expect(reply).toMatchObject({ refused: 'connection_not_found' })
  })

  it('owes its response until it is delivered', () => {
    expect(connectionDecider.owed(runPath(machine, 'request-received')).map((effect) => effect.kind)).toEqual(
      ['deliver-response'],
    )
    expect(connectionDecider.owed(runPath(machine, 'response-sent'))).toEqual([])
  })
})
