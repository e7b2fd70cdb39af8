import { accountActor } from './account/kind.ts'
import { actingActor } from './acting/kind.ts'
import { attemptsActor } from './sign-in-lockout/kind.ts'
import { auditEntryActor } from './audit-entry/kind.ts'
import { rosterActor } from './roster/kind.ts'
import type { AnyActorDefinition } from '../host/definition.ts'
import { connectionActor } from './connection/effects.ts'
import { credentialActor, type ExchangePorts } from './credential/effects.ts'
import { invitationActor } from './invitation/kind.ts'
import { proofActor } from './proof/effects.ts'

export type KindPorts = ExchangePorts

/** Kinds of records that do not plug in yet; those of the webhooks and the claims on Idempotency-Keys come with theirs. */
export const actorKinds = (ports: KindPorts): readonly AnyActorDefinition[] => [
  accountActor(),
  actingActor(ports),
  rosterActor(),
  attemptsActor(),
  auditEntryActor(),
  invitationActor(),
  connectionActor(ports),
  credentialActor(ports),
  proofActor(ports),
]
