import { Type } from 'typebox'
import { faceVendorNames } from '../../domain/face-check.ts'
import { defineKind } from '../define-kind.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { biometricRoutes } from './routes.ts'
import { biometricPolicy, policyDecider, type PolicyTypes } from './rules.ts'

const settings = {
  tenant: text,
  vendor: oneOf(['none', ...faceVendorNames]),
  settings: Type.Record(Type.String(), Type.String()),
  livenessMin: orNull(Type.Number()),
  matchMin: Type.Number(),
  attemptsMax: Type.Integer(),
  windowMinutes: Type.Integer(),
  credentialDefinitionIds: Type.Array(text),
  sealedCredentials: textOrNull,
}

/** Every offer and every request for a proof reads it. The secrets in it come sealed by the key of the organisation. */
export const biometricPolicyKind = defineKind<PolicyTypes>({
  references: biometricPolicy,
  isCopied: true,
  // Most organisations have none.
  staysUnknown: true,
  decider: policyDecider,
  ...storedRecord({
    events: { BiometricPolicySet: settings, BiometricPolicyChanged: settings },
    records: [{ status: Type.Literal('set'), ...settings, createdAtMs: time, updatedAtMs: time }],
  }),
  routes: biometricRoutes,
})
