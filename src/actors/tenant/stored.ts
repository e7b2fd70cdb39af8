import { Type } from 'typebox'
import type { TenantEvent, TenantState } from './rules.ts'
import { limits } from '../../domain/limits.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

const days = Type.Integer({ minimum: 0 })
const created = { name: text, did: text, verkey: text, seed: textOrNull }

export const tenantEvents: Codec<TenantEvent> = eventCodec({
  TenantCreated: { version: 1, schema: event('TenantCreated', created), personal: ['seed'] },
  IdentityRegistered: { version: 1, schema: event('IdentityRegistered', {}) },
  IdentityRefused: { version: 1, schema: event('IdentityRefused', { reason: text }) },
  TenantSuspended: { version: 1, schema: event('TenantSuspended', {}) },
  TenantResumed: { version: 1, schema: event('TenantResumed', {}) },
  RetentionSet: { version: 1, schema: event('RetentionSet', { retentionDays: days }) },
})

export const tenantSnapshots: Codec<TenantState> = codec({
  version: 2,
  upcasts: {
    1: (old) =>
      old['status'] === 'none'
        ? { ...old }
        : { ...old, retentionDays: limits.retentionDaysDefault, retentionChangedAtMs: null },
  },
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({
      status: oneOf(['active', 'suspended']),
      ...created,
      registered: Type.Boolean(),
      lastError: textOrNull,
      retentionDays: days,
      retentionChangedAtMs: orNull(time),
      createdAtMs: time,
      updatedAtMs: time,
    }),
  ]),
  personal: ['seed'],
})
