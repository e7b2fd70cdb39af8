import { connectionKind } from './connection/index.ts'
import { credentialKind } from './credential/index.ts'
import type { Kind } from './define-kind.ts'
import { invitationKind } from './invitation/index.ts'
import { idempotencyClaimKind } from './idempotency-claim/index.ts'
import { proofKind } from './proof/index.ts'
import { webhookDeliveryKind } from './webhook-delivery/index.ts'
import { webhookEndpointKind } from './webhook-endpoint/index.ts'

/** Every kind of record. A new kind is a folder beside this file and a line here. */
export const kinds: readonly Kind[] = [
  invitationKind,
  connectionKind,
  credentialKind,
  proofKind,
  webhookEndpointKind,
  webhookDeliveryKind,
  idempotencyClaimKind,
]
