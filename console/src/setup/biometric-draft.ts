import type { BiometricPolicy, SetBiometricPolicyBody } from '../api/generated/operations.ts'

export type Vendor = SetBiometricPolicyBody['vendor']

/** What each vendor wants to know: fields that are shown again, and secrets that never are. */
export const VENDOR_FIELDS: Readonly<
  Record<Vendor, { readonly settings: readonly string[]; readonly secrets: readonly string[] }>
> = {
  none: { settings: [], secrets: [] },
  aws_rekognition: {
    settings: ['region', 'deviceRoleArn'],
    secrets: ['accessKeyId', 'secretAccessKey'],
  },
  azure_face: { settings: ['endpoint'], secrets: ['key'] },
  sandbox: { settings: [], secrets: [] },
}
export const VENDORS = Object.keys(VENDOR_FIELDS) as Vendor[]

/** As it is typed; numbers that are left empty are the service's own. */
export type BiometricDraft = {
  readonly vendor: Vendor
  readonly settings: Readonly<Record<string, string>>
  readonly livenessMin: string
  readonly matchMin: string
  readonly attemptsMax: string
  readonly windowMinutes: string
  readonly definitionIds: readonly string[]
}

const textOf = (value: number | null): string => (value === null ? '' : String(value))

export const draftOfPolicy = (policy: BiometricPolicy): BiometricDraft => ({
  vendor: policy.vendor,
  settings: policy.settings,
  livenessMin: textOf(policy.livenessMin),
  matchMin: textOf(policy.matchMin),
  attemptsMax: textOf(policy.attemptsMax),
  windowMinutes: textOf(policy.windowMinutes),
  definitionIds: policy.credentialDefinitionIds,
})

/** Secrets that are left empty stay what they are; one alone would be half an account. */
export const policyBody = (
  draft: BiometricDraft,
  secrets: Readonly<Record<string, string>>,
): SetBiometricPolicyBody => {
  const { vendor } = draft
  const { settings, secrets: wanted } = VENDOR_FIELDS[vendor]
  const given = wanted.filter((name) => (secrets[name] ?? '') !== '')
  const numbers = (['livenessMin', 'matchMin', 'attemptsMax', 'windowMinutes'] as const).filter(
    (name) => draft[name] !== '' && !(name === 'livenessMin' && vendor === 'azure_face'),
  )
  return {
    vendor,
    settings: Object.fromEntries(settings.map((name) => [name, (draft.settings[name] ?? '').trim()])),
    ...(given.length > 0 && {
      credentials: Object.fromEntries(given.map((name) => [name, (secrets[name] ?? '').trim()])),
    }),
    ...(vendor !== 'none' && Object.fromEntries(numbers.map((name) => [name, Number(draft[name])]))),
    credentialDefinitionIds: draft.definitionIds,
  }
}
