import { accountActor } from './account/kind.ts'
import { actingActor, type ActingPorts } from './acting/kind.ts'
import { attemptsActor } from './sign-in-lockout/kind.ts'
import { auditEntryActor } from './audit-entry/kind.ts'
import { rosterActor } from './roster/kind.ts'
import type { AnyActorDefinition } from '../host/definition.ts'

/** Kinds of records that do not plug in yet. */
export const actorKinds = (ports: ActingPorts): readonly AnyActorDefinition[] => [
  accountActor(),
  actingActor(ports),
  rosterActor(),
  attemptsActor(),
  auditEntryActor(),
]
