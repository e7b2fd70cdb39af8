import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { LedgerRefused } from '../../ports/ledger.ts'
import { defineKind } from '../define-kind.ts'
import type { KindPorts } from '../kind-ports.ts'
import { endorsement } from '../publishing-fields.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { deleteRecords, LISTS_KEPT } from './deletion.ts'
import { localExportRoutes } from './export-routes.ts'
import { organisationRoute } from './organisation-route.ts'
import { dataRetentionRoutes } from './retention-routes.ts'
import { operatorTenantRoutes } from './routes.ts'
import { type TenantCommand, tenantDecider, type TenantEffect, tenant, type TenantTypes } from './rules.ts'

const days = Type.Integer({ minimum: 0 })
const rate = orNull(Type.Integer({ minimum: 1 }))
const rates = { ratePerMinute: rate, keyRatePerMinute: rate }
const created = { name: textOrNull, did: text, verkey: text, seed: textOrNull }

/** Organisations. */
export const tenantKind = defineKind<TenantTypes>({
  references: tenant,
  isCopied: true,
  decider: tenantDecider,
  ...storedRecord({
    personal: ['name', 'seed'],
    events: {
      TenantCreated: created,
      IdentityRegistered: {},
      IdentityRefused: { reason: text },
      TenantSuspended: {},
      TenantResumed: {},
      RetentionSet: { retentionDays: days },
      EndorsementModeSet: { endorsement },
      TenantRatesSet: rates,
      DeletionOrdered: {},
      TenantRestored: {},
      DeletionBegun: {},
      TenantDeleted: {},
    },
    records: [
      {
        status: oneOf(['active', 'suspended', 'deletion_ordered', 'deleting', 'deleted']),
        ...created,
        registered: Type.Boolean(),
        lastError: textOrNull,
        endorsement: Type.Optional(endorsement),
        retentionDays: days,
        retentionChangedAtMs: orNull(time),
        deletion: orNull(Type.Object({ orderedAtMs: time, from: oneOf(['active', 'suspended']) })),
        rests: Type.Array(Type.Object({ fromMs: time, untilMs: time })),
        createdAtMs: time,
        updatedAtMs: time,
        rates: Type.Optional(orNull(Type.Object(rates))),
      },
    ],
  }),
  keyParent: (actor) => ({ tenant: actor, connection: null }),
  erased: (state) => state.status === 'deleted',
  isOver: (state) => state.status === 'deleted',
  effects: (ports) => ({
    perform: (effect, context) =>
      effect.kind === 'delete-records' ? deleteRecords(ports, context) : registerIdentity(ports, effect),
  }),
  onTimer: (_timerId, atMs) => ({ type: 'BeginDeletion', atMs }),
  listed: {
    list: 'tenant',
    row: (record) => ({
      ...rowOfRecord({ ...record, tenant: OPERATORS }, { texts: [record.name] }),
      ...(record.status === 'deleted' && { endsAllBut: LISTS_KEPT }),
    }),
  },
  routes: (ports) => [
    organisationRoute(ports),
    ...dataRetentionRoutes(ports),
    ...operatorTenantRoutes(ports),
  ],
  localRoutes: localExportRoutes,
})

const registerIdentity = async (
  { ledger, runtime }: Pick<KindPorts, 'ledger' | 'runtime'>,
  { did, verkey }: Extract<TenantEffect, { kind: 'register-identity' }>,
): Promise<TenantCommand> => {
  try {
    await ledger.registerIdentity({ did, verkey })
    return { type: 'RecordIdentityRegistered', atMs: runtime.now() }
  } catch (error) {
    if (!(error instanceof LedgerRefused)) throw error
    return { type: 'RecordIdentityRefused', atMs: runtime.now(), reason: error.message }
  }
}
