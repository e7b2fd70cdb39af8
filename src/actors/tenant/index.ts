import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { LedgerRefused } from '../../ports/ledger.ts'
import { defineKind } from '../define-kind.ts'
import type { KindPorts } from '../kind-ports.ts'
import { rowOfRecord } from '../rows.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'
import { dataRetentionRoutes } from './retention-routes.ts'
import { operatorTenantRoutes } from './routes.ts'
import { type TenantCommand, tenantDecider, type TenantEffect, tenants, type TenantTypes } from './rules.ts'

const days = Type.Integer({ minimum: 0 })
const created = { name: text, did: text, verkey: text, seed: textOrNull }

/** Organisations. */
export const tenantKind = defineKind<TenantTypes>({
  references: tenants,
  decider: tenantDecider,
  events: eventCodec({
    TenantCreated: { version: 1, schema: event('TenantCreated', created), personal: ['seed'] },
    IdentityRegistered: { version: 1, schema: event('IdentityRegistered', {}) },
    IdentityRefused: { version: 1, schema: event('IdentityRefused', { reason: text }) },
    TenantSuspended: { version: 1, schema: event('TenantSuspended', {}) },
    TenantResumed: { version: 1, schema: event('TenantResumed', {}) },
    RetentionSet: { version: 1, schema: event('RetentionSet', { retentionDays: days }) },
  }),
  snapshots: codec({
    version: 1,
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
  }),
  keyParent: (actor) => ({ tenant: actor, connection: null }),
  effects: (ports) => ({ perform: (effect) => registerIdentity(ports, effect) }),
  listed: {
    list: 'tenant',
    row: (_, tenant) => rowOfRecord({ ...tenant, tenant: OPERATORS }, { texts: [tenant.name] }),
  },
  routes: (ports) => [...dataRetentionRoutes(ports), ...operatorTenantRoutes(ports)],
})

const registerIdentity = async (
  { ledger, runtime }: Pick<KindPorts, 'ledger' | 'runtime'>,
  { did, verkey }: TenantEffect,
): Promise<TenantCommand> => {
  try {
    await ledger.registerIdentity({ did, verkey })
    return { type: 'RecordIdentityRegistered', atMs: runtime.now() }
  } catch (error) {
    if (!(error instanceof LedgerRefused)) throw error
    return { type: 'RecordIdentityRefused', atMs: runtime.now(), reason: error.message }
  }
}
