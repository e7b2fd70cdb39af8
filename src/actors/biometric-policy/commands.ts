import type { Static } from 'typebox'
import { obstacleSentence } from '../../biometric/obstacle-sentence.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { FaceVendorName } from '../../domain/face-check.ts'
import { limits } from '../../domain/limits.ts'
import { AskFailed } from '../../ports/actors.ts'
import type { FaceVendor, VendorAccount } from '../../ports/face-vendor.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { openAccount, readPolicy, sealCredentials } from './account.ts'
import type { sentPolicy } from './record.ts'
import { type BiometricPolicy, mayKeepSecrets, policyOf, type PolicySettings } from './rules.ts'

export type PolicyPorts = Pick<
  ApiPorts,
  'actors' | 'vault' | 'runtime' | 'catalogue' | 'directory' | 'faceVendors'
>

export type SentPolicy = Static<typeof sentPolicy>

/** Tries the account first: what is wrong with it is told here, and not at the first holder. */
export const setPolicy = async (
  ports: PolicyPorts,
  tenant: string,
  sent: SentPolicy,
): Promise<BiometricPolicy | Refused> => {
  const before = await readPolicy(ports, tenant)
  const settings = await checkedSettings(ports, tenant, sent)
  if (isRefused(settings)) return settings
  if (sent.vendor === 'none') {
    // Definitions that are not named are behind a check still; who wants none of them there says so.
    const isNamed = sent.credentialDefinitionIds !== undefined
    const definitions = isNamed ? settings.credentialDefinitionIds : (before?.credentialDefinitionIds ?? [])
    const gated = [...definitions, ...(await gatedTemplates(ports, tenant))]
    if (gated.length > 0)
      return refuse(
        'invalid_request',
        `vendor must not be none while these need a face check: ${gated.join(', ')}. For definitions send credentialDefinitionIds without them.`,
      )
  } else {
    const account = await accountToTry(ports, tenant, sent, before)
    const problems = await triedAccount(ports, tenant, sent.vendor, account)
    if (problems.length > 0) return refuse('biometric_setup_invalid', problems.join(' '))
  }
  const { credentials } = sent
  const hasAccount = sent.vendor !== 'none' && sent.vendor !== 'sandbox'
  const sealedCredentials =
    credentials === undefined || !hasAccount ? null : await sealCredentials(ports, tenant, credentials)
  return ports.actors.ask(
    policyOf(tenant),
    { type: 'SetBiometricPolicy', atMs: Math.floor(ports.runtime.now()), ...settings, sealedCredentials },
    { commandId: `set:${ports.runtime.newId()}`, tenant },
  )
}

/** What stands in the way of the account that is set, a sentence each; null where none is set. */
export const tryPolicy = async (ports: PolicyPorts, tenant: string): Promise<readonly string[] | null> => {
  const policy = await readPolicy(ports, tenant)
  if (policy === null || policy.vendor === 'none') return null
  return triedAccount(ports, tenant, policy.vendor, await openAccount(ports, tenant, policy))
}

const checkedSettings = async (
  ports: PolicyPorts,
  tenant: string,
  sent: SentPolicy,
): Promise<PolicySettings | Refused> => {
  const { vendor } = sent
  const found = vendor === 'none' ? null : ports.faceVendors[vendor]
  if (found === undefined)
    return refuse('invalid_request', 'vendor sandbox is there on the sandbox ledger alone.')
  const hasLiveness = found?.hasLivenessScore ?? true
  if (!hasLiveness && sent.livenessMin !== undefined)
    return refuse('invalid_request', `livenessMin must be left out: ${vendor} has no score of liveness.`)
  const named = [...new Set(sent.credentialDefinitionIds ?? [])]
  const credentialDefinitionIds: string[] = []
  for (const id of named) {
    const issuing = (await ports.catalogue.definition(tenant, id))?.issuing ?? null
    if (issuing === null)
      return refuse(
        'credential_definition_not_found',
        `credentialDefinitionIds: ${id.slice(0, 300)} is no published credential definition of yours.`,
      )
    credentialDefinitionIds.push(issuing.catalogueId)
  }
  return {
    tenant,
    vendor,
    settings: vendor === 'none' || vendor === 'sandbox' ? {} : (sent.settings ?? {}),
    livenessMin: hasLiveness ? (sent.livenessMin ?? LIVENESS_MIN) : null,
    matchMin: sent.matchMin ?? found?.usualMatchMin ?? MATCH_MIN,
    attemptsMax: sent.attemptsMax ?? limits.faceAttemptsDefault,
    windowMinutes: sent.windowMinutes ?? limits.faceWindowMinutesDefault,
    credentialDefinitionIds: [...new Set(credentialDefinitionIds)],
  }
}

const LIVENESS_MIN = 80
const MATCH_MIN = 90

/** Without secrets the trial says what is missing, and calls nobody. */
const accountToTry = async (
  ports: PolicyPorts,
  tenant: string,
  { vendor, settings = {}, credentials }: SentPolicy,
  before: BiometricPolicy | null,
): Promise<VendorAccount> => {
  if (credentials !== undefined) return { settings, credentials }
  const sealedCredentials = mayKeepSecrets(before, { vendor, settings }) ? before.sealedCredentials : null
  return openAccount(ports, tenant, { settings, sealedCredentials })
}

const TRIAL_MS = 45_000
/** A trial calls the vendor four times; nobody needs several of them at once. */
const TRIALS_AT_ONCE_MAX = 16
const trying = new Set<string>()

const triedAccount = async (
  { faceVendors }: Pick<PolicyPorts, 'faceVendors'>,
  tenant: string,
  vendor: FaceVendorName,
  account: VendorAccount,
): Promise<readonly string[]> => {
  const found: FaceVendor | undefined = faceVendors[vendor]
  if (found === undefined) return [`${vendor} is not there in this installation.`]
  if (trying.has(tenant) || trying.size >= TRIALS_AT_ONCE_MAX)
    throw new AskFailed(
      'overloaded',
      'A trial of this account is under way; try again when it is over.',
      5_000,
    )
  trying.add(tenant)
  try {
    const { obstacles } = await found.tryAccount(account, AbortSignal.timeout(TRIAL_MS))
    return obstacles.map(obstacleSentence)
  } finally {
    trying.delete(tenant)
  }
}

/** Names of the first templates that could not be used without a vendor. */
const gatedTemplates = async (
  { directory }: Pick<PolicyPorts, 'directory'>,
  tenant: string,
): Promise<readonly string[]> => {
  const { rows } = await directory.list({
    tenant,
    kind: 'proof-template',
    page: 1,
    pageSize: 25,
    q: null,
    states: ['active'],
    externalId: null,
    fromMs: null,
    toMs: null,
    filters: { biometricRequired: 'true' },
  })
  return rows.map(({ id }) => id)
}
