import { accountActor } from '../actors/accounts/account.ts'
import { actingActor } from '../actors/accounts/acting.ts'
import { attemptsActor } from '../actors/accounts/attempts.ts'
import { auditEntryActor } from '../actors/accounts/audit-entry.ts'
import { rosterActor } from '../actors/accounts/roster.ts'
import { definitionActor, type DefinitionPorts } from '../actors/catalogue/credential-definition.ts'
import { templateActor } from '../actors/catalogue/proof-template.ts'
import { schemaActor, type SchemaPorts } from '../actors/catalogue/schema.ts'
import type { AnyActorDefinition } from '../actors/definition.ts'
import { connectionActor } from '../actors/exchanges/connection.ts'
import { credentialActor, type ExchangePorts } from '../actors/exchanges/credential.ts'
import { invitationActor } from '../actors/exchanges/invitation.ts'
import { proofActor } from '../actors/exchanges/proof.ts'
import { apiKeyActor } from '../actors/tenants/api-key.ts'
import { tenantActor, type TenantPorts } from '../actors/tenants/tenant.ts'
import { walletActor } from '../actors/tenants/wallet.ts'

export type KindPorts = TenantPorts & SchemaPorts & DefinitionPorts & ExchangePorts

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
  invitationActor(),
  connectionActor(ports),
  credentialActor(ports),
  proofActor(ports),
]
