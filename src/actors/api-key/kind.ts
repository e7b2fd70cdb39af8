import { Type } from 'typebox'
import {
  type ApiKeyCommand,
  apiKeyDecider,
  type ApiKeyEvent,
  type ApiKeyReply,
  type ApiKeyState,
} from './rules.ts'
import { codec, eventCodec, type Upcast } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { event, oneOf, orNull, text, time } from '../stored-fields.ts'

export const API_KEY = 'key'

const rate = Type.Integer({ minimum: 1 })
const created = {
  tenant: text,
  label: text,
  lastFour: text,
  secretHash: orNull(text),
  ratePerMinute: orNull(rate),
}
const withoutHash: Upcast = (old) => ({ ...old, secretHash: null })
const withoutRate: Upcast = (old) => ({ ...old, ratePerMinute: null })

export const apiKeyActor = (): OldActorDefinition<ApiKeyState, ApiKeyCommand, ApiKeyEvent, ApiKeyReply> =>
  defineActor({
    kind: API_KEY,
    decider: apiKeyDecider,
    events: eventCodec({
      ApiKeyCreated: {
        version: 3,
        upcasts: { 1: withoutHash, 2: withoutRate },
        schema: event('ApiKeyCreated', created),
      },
      ApiKeyRevoked: { version: 1, schema: event('ApiKeyRevoked', {}) },
      ApiKeyRateSet: { version: 1, schema: event('ApiKeyRateSet', { ratePerMinute: orNull(rate) }) },
    }),
    snapshots: codec({
      version: 3,
      upcasts: {
        1: (old) => (old['status'] === 'none' ? { ...old } : withoutRate(old)),
        2: (old) => (old['status'] === 'none' ? { ...old } : withoutHash(old)),
      },
      schema: Type.Union([
        Type.Object({ status: Type.Literal('none') }),
        Type.Object({
          status: oneOf(['active', 'revoked']),
          ...created,
          createdAtMs: time,
          revokedAtMs: orNull(time),
        }),
      ]),
    }),
    snapshotEvery: 50,
    keyParent: null,
    erased: () => false,
    perform: (effect) => Promise.reject(new Error(`an API key owes nothing, also not ${effect.kind}`)),
    onTimer: (timerId) => {
      throw new Error(`an API key has no timer ${timerId}`)
    },
  })
