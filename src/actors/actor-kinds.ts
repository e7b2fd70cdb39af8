import { accountActor } from './account/kind.ts'
import { actingActor } from './acting/kind.ts'
import { attemptsActor } from './sign-in-lockout/kind.ts'
import { auditEntryActor } from './audit-entry/kind.ts'
import { rosterActor } from './roster/kind.ts'
import { definitionActor, type DefinitionPorts } from './credential-definition/effects.ts'
import { templateActor } from './proof-template/kind.ts'
import { schemaActor, type SchemaPorts } from './schema/kind.ts'
import type { AnyActorDefinition } from '../host/definition.ts'
import { apiKeyActor } from './api-key/kind.ts'
import { tenantActor, type TenantPorts } from './tenant/effects.ts'
import { walletActor } from './wallet/kind.ts'

export type KindPorts = TenantPorts & SchemaPorts & DefinitionPorts

/** Every kind of record that needs no vault; those of the webhooks and the claims on Idempotency-Keys come with theirs. */
export const actorKinds = (ports: KindPorts): readonly AnyActorDefinition[] => [
  tenantActor(ports),
  apiKeyActor(),
  accountActor(),
  actingActor(ports),
  rosterActor(),
  attemptsActor(),
  auditEntryActor(),
  schemaActor(ports),
  definitionActor(ports),
  templateActor(),
  walletActor(),
]
