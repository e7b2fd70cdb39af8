import { apiKeyKind } from './api-key/index.ts'
import { accountKind } from './account/index.ts'
import { actingKind } from './acting/index.ts'
import { auditEntryKind } from './audit-entry/index.ts'
import { biometricPolicyKind } from './biometric-policy/index.ts'
import { connectionKind } from './connection/index.ts'
import { credentialKind } from './credential/index.ts'
import { offerJobKind } from './credential-offer-job/index.ts'
import { definitionKind } from './credential-definition/index.ts'
import type { Kind } from './define-kind.ts'
import { endorsementKind } from './endorsement/index.ts'
import { faceCheckKind } from './face-check/index.ts'
import { idempotencyClaimKind } from './idempotency-claim/index.ts'
import { invitationKind } from './invitation/index.ts'
import { ledgerAgreementKind } from './ledger-agreement/index.ts'
import { ledgerCeilingKind } from './ledger-ceiling/index.ts'
import { mailboxKind } from './mailbox/index.ts'
import { mediatedKeyKind } from './mediated-key/index.ts'
import { offerItemRateKind } from './offer-item-rate/index.ts'
import { parkedRecordKind } from './parked-record/index.ts'
import { proofKind } from './proof/index.ts'
import { templateKind } from './proof-template/index.ts'
import { schemaKind } from './schema/index.ts'
import { tenantKind } from './tenant/index.ts'
import { walletKind } from './wallet/index.ts'
import { rosterKind } from './roster/index.ts'
import { signInLockoutKind } from './sign-in-lockout/index.ts'
import { webhookDeliveryKind } from './webhook-delivery/index.ts'
import { webhookEndpointKind } from './webhook-endpoint/index.ts'

/**
 * Every kind of record, in the order in which their routes are described. A new kind is a folder beside this file and
 * a line here.
 */
export const kinds: readonly Kind[] = [
  invitationKind,
  connectionKind,
  credentialKind,
  offerJobKind,
  offerItemRateKind,
  proofKind,
  schemaKind,
  definitionKind,
  templateKind,
  biometricPolicyKind,
  faceCheckKind,
  walletKind,
  mailboxKind,
  mediatedKeyKind,
  webhookEndpointKind,
  webhookDeliveryKind,
  tenantKind,
  apiKeyKind,
  endorsementKind,
  ledgerCeilingKind,
  ledgerAgreementKind,
  idempotencyClaimKind,
  accountKind,
  rosterKind,
  signInLockoutKind,
  auditEntryKind,
  actingKind,
  parkedRecordKind,
]
