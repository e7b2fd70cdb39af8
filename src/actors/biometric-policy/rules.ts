import { refuse, type Decider, type Refused } from '../../domain/decider.ts'
import type { FaceVendorName } from '../../domain/face-check.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo, type Ref } from '../../domain/references.ts'

export type PolicyVendor = FaceVendorName | 'none'

/** When holders pass a face check, and at which account of the organisation's own. */
export type PolicySettings = {
  readonly tenant: string
  readonly vendor: PolicyVendor
  readonly settings: Readonly<Record<string, string>>
  /** Null where the vendor has no score of liveness. */
  readonly livenessMin: number | null
  readonly matchMin: number
  readonly attemptsMax: number
  readonly windowMinutes: number
  /** Catalogue ids of the definitions that are issued behind a check. */
  readonly credentialDefinitionIds: readonly string[]
}

/** One per organisation. Secrets come in and are kept as ciphertext under the organisation's key. */
export type BiometricPolicy = PolicySettings & {
  readonly status: 'set'
  readonly sealedCredentials: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type At = { readonly atMs: number }
/** Null keeps what was entered for the same vendor before. */
type Credentials = { readonly sealedCredentials: string | null }

export type PolicyCommand = { readonly type: 'SetBiometricPolicy' } & At & PolicySettings & Credentials
export type PolicyEvent =
  | ({ readonly type: 'BiometricPolicySet' } & At & PolicySettings & Credentials)
  | ({ readonly type: 'BiometricPolicyChanged' } & At & PolicySettings & Credentials)

export type PolicyTypes = RecordTypes<BiometricPolicy, PolicyCommand, PolicyEvent>

export const biometricPolicy = referencesTo<PolicyTypes>('bio')

/** It lives where the organisation lives. */
export const policyOf = (tenant: string): Ref<PolicyTypes> =>
  biometricPolicy.ref(`${biometricPolicy.prefix}${tenant.slice(tenant.indexOf('_'))}`)

/** Vendors without credentials: nothing is called. */
const isWithoutAccount = (vendor: PolicyVendor): boolean => vendor === 'none' || vendor === 'sandbox'

export const policyDecider: Decider<PolicyTypes> = recordDecider({
  unknown: refuse('not_found', 'No biometric policy is set.'),
  first: ['SetBiometricPolicy', 'BiometricPolicySet'],
  create: (command) => policyProblem(command, null) ?? { ...kept(command, null), type: 'BiometricPolicySet' },
  created: (settings, atMs) => ({ ...settings, status: 'set', createdAtMs: atMs, updatedAtMs: atMs }),
  again: (policy, command) =>
    policyProblem(command, policy) ?? [{ ...kept(command, policy), type: 'BiometricPolicyChanged' }],
  decide: () => [],
  evolve: (policy, event) => {
    const { type: _, atMs, ...settings } = event
    return { ...policy, ...settings, updatedAtMs: atMs }
  },
})

/**
 * Whether secrets that were entered before go with these settings. A key goes to the endpoint that it was entered for: with
 * another one, whoever may set the policy could have it sent to himself.
 */
export const mayKeepSecrets = (
  before: BiometricPolicy | null,
  { vendor, settings }: Pick<PolicySettings, 'vendor' | 'settings'>,
): before is BiometricPolicy & { readonly sealedCredentials: string } =>
  before?.vendor === vendor &&
  before.sealedCredentials !== null &&
  before.settings['endpoint'] === settings['endpoint']

const kept = (command: PolicyCommand, before: BiometricPolicy | null): PolicyCommand => {
  const { vendor, sealedCredentials } = command
  if (isWithoutAccount(vendor)) return { ...command, sealedCredentials: null }
  return { ...command, sealedCredentials: sealedCredentials ?? before?.sealedCredentials ?? null }
}

/** What contradicts itself. Whether the account works is tried before. */
const policyProblem = (command: PolicyCommand, before: BiometricPolicy | null): Refused | null => {
  const { vendor, settings, sealedCredentials, credentialDefinitionIds } = command
  const [gated] = credentialDefinitionIds
  if (vendor === 'none' && gated !== undefined)
    return refuse(
      'invalid_request',
      `credentialDefinitionIds must be empty where vendor is none: ${credentialDefinitionIds.join(', ')}.`,
    )
  const hasCredentials = sealedCredentials !== null || mayKeepSecrets(before, { vendor, settings })
  if (!isWithoutAccount(vendor) && !hasCredentials)
    return refuse(
      'invalid_request',
      `credentials must be sent when vendor becomes ${vendor}, or settings.endpoint another one.`,
    )
  return null
}
