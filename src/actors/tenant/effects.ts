import {
  type TenantCommand,
  tenantDecider,
  type TenantEffect,
  type TenantEvent,
  type TenantReply,
  type TenantState,
} from './rules.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { type Ledger, LedgerRefused } from '../../ports/ledger.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { tenantEvents, tenantSnapshots } from './stored.ts'

export const TENANT = 'ten'

export type TenantPorts = {
  readonly ledger: Pick<Ledger, 'registerIdentity'>
  readonly runtime: Pick<Runtime, 'now'>
}

export const tenantActor = ({
  ledger,
  runtime,
}: TenantPorts): OldActorDefinition<TenantState, TenantCommand, TenantEvent, TenantReply, TenantEffect> =>
  defineActor({
    kind: TENANT,
    decider: tenantDecider,
    events: tenantEvents,
    snapshots: tenantSnapshots,
    snapshotEvery: 50,
    keyParent: (actor) => ({ tenant: actor, connection: null }),
    erased: () => false,
    perform: async ({ did, verkey }) => {
      try {
        await ledger.registerIdentity({ did, verkey })
        return { type: 'RecordIdentityRegistered', atMs: runtime.now() }
      } catch (error) {
        if (!(error instanceof LedgerRefused)) throw error
        return { type: 'RecordIdentityRefused', atMs: runtime.now(), reason: error.message }
      }
    },
    onTimer: (timerId) => {
      throw new Error(`a tenant has no timer ${timerId}`)
    },
  })
