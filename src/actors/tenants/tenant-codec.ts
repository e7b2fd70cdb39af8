import { Type } from 'typebox'
import type { TenantEvent, TenantState } from '../../domain/tenants/tenant.ts'
import { codec, eventCodec } from '../codec.ts'
import type { Codec } from '../definition.ts'
import { event, oneOf, text, textOrNull, time } from '../exchanges/schema.ts'

const created = { name: text, did: text, verkey: text, seed: textOrNull }

export const tenantEvents: Codec<TenantEvent> = eventCodec({
  TenantCreated: { version: 1, schema: event('TenantCreated', created), personal: ['seed'] },
  IdentityRegistered: { version: 1, schema: event('IdentityRegistered', {}) },
  IdentityRefused: { version: 1, schema: event('IdentityRefused', { reason: text }) },
  TenantSuspended: { version: 1, schema: event('TenantSuspended', {}) },
  TenantResumed: { version: 1, schema: event('TenantResumed', {}) },
})

export const tenantSnapshots: Codec<TenantState> = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({
      status: oneOf(['active', 'suspended']),
      ...created,
      registered: Type.Boolean(),
      lastError: textOrNull,
      createdAtMs: time,
      updatedAtMs: time,
    }),
  ]),
  personal: ['seed'],
})
