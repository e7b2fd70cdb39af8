import { isErased } from '../../domain/erasure.ts'
import { countedSteps, holderWaitSince } from '../../domain/exchange.ts'
import { wordsOrNull } from '../../http/route/fields.ts'
import { defineKind, keysAbove } from '../define-kind.ts'
import { finishedSince, rowOfRecord } from '../rows.ts'
import { stateChanged, stateChangedEvent } from '../state-changed.ts'
import { CLOSING_TIMER, isConnectionOver } from './closing.ts'
import { performConnectionEffect } from './effects.ts'
import { isHolders, receiveFromHolder } from './inbound.ts'
import { answeredBy } from './reuse.ts'
import { connectionRoutes } from './routes.ts'
import {
  HANDSHAKE_STATES,
  RESPONSE_TIMER,
  type ConnectionTypes,
  connection,
  connectionDecider,
} from './rules.ts'
import { connectionStored } from './stored.ts'

const dueBy: Readonly<Record<string, 'RetryResponse' | 'ContinueErasure'>> = {
  [RESPONSE_TIMER]: 'RetryResponse',
  [CLOSING_TIMER]: 'ContinueErasure',
}

export const connectionKind = defineKind<ConnectionTypes>({
  references: connection,
  decider: connectionDecider,
  ...connectionStored,
  keyParent: keysAbove,
  isOver: isConnectionOver,
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  erased: isErased,
  effects: (ports) => ({ perform: (effect, context) => performConnectionEffect(ports, effect, context) }),
  waitsSince: holderWaitSince,
  onTimer: (timerId, atMs) => ({ type: dueBy[timerId] ?? 'AbandonConnection', atMs }),
  listed: {
    list: 'connection',
    overview: { recordType: 'connection', waiting: HANDSHAKE_STATES },
    row: (record) => {
      const { externalId, theirLabel } = record
      return rowOfRecord(record, {
        filters: { invitationId: answeredBy(record) },
        externalId,
        texts: [externalId, theirLabel],
        finishedAtMs: finishedSince(record),
        steps: countedSteps(record.steps),
      })
    },
  },
  published: {
    events: [
      stateChangedEvent(
        'connection',
        'A connection has changed its state',
        { id: 'con_5f8d2k4m6p7q9r1s3t5v0w2x', state: 'completed', previousState: 'response-sent' },
        { invitationId: wordsOrNull('The invitation that was answered.', 'inv_a04c6e8g1j3m5p7r9t2v4x6z') },
      ),
    ],
    publish: (actor, event) =>
      'change' in event
        ? stateChanged('connection', actor, event, { invitationId: event.invitationId })
        : null,
  },
  envelopes: { receive: receiveFromHolder, isKnown: isHolders },
  routes: connectionRoutes,
})
