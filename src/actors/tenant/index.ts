import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { LedgerRefused } from '../../ports/ledger.ts'
import { defineKind } from '../define-kind.ts'
import type { KindPorts } from '../kind-ports.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { dataRetentionRoutes, localRetentionRoutes } from './retention-routes.ts'
import { operatorTenantRoutes } from './routes.ts'
import { type TenantCommand, tenantDecider, type TenantEffect, tenant, type TenantTypes } from './rules.ts'

const days = Type.Integer({ minimum: 0 })
const created = { name: text, did: text, verkey: text, seed: textOrNull }

/** Organisations. */
export const tenantKind = defineKind<TenantTypes>({
  references: tenant,
  decider: tenantDecider,
  ...storedRecord({
    personal: ['seed'],
    events: {
      TenantCreated: created,
      IdentityRegistered: {},
      IdentityRefused: { reason: text },
      TenantSuspended: {},
      TenantResumed: {},
      RetentionSet: { retentionDays: days },
    },
    records: [
      {
        status: oneOf(['active', 'suspended']),
        ...created,
        registered: Type.Boolean(),
        lastError: textOrNull,
        retentionDays: days,
        retentionChangedAtMs: orNull(time),
        createdAtMs: time,
        updatedAtMs: time,
      },
    ],
  }),
  keyParent: (actor) => ({ tenant: actor, connection: null }),
  effects: (ports) => ({ perform: (effect) => registerIdentity(ports, effect) }),
  listed: {
    list: 'tenant',
    row: (record) => rowOfRecord({ ...record, tenant: OPERATORS }, { texts: [record.name] }),
  },
  routes: (ports) => [...dataRetentionRoutes(ports), ...operatorTenantRoutes(ports)],
  localRoutes: localRetentionRoutes,
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
