import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { bearerTokens, hashOfToken, isTokenWithHash } from '../tokens.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { livingTenant } from '../tenant/read.ts'
import { ratesOf } from '../tenant/rules.ts'
import { apiKey, noSuchApiKey, type ApiKeyRecord } from './rules.ts'

export const apiKeyTokens = bearerTokens('svc_sk_', apiKey)

/** `key` is null when it was shown before: the same id was ordered already. */
export type CreatedApiKey = {
  readonly id: string
  readonly key: string | null
  readonly apiKey: ApiKeyRecord
}

export type ApiKeyOrder = {
  readonly tenant: string
  readonly label: string
  readonly ratePerMinute?: number | null
}

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>
type TokenPorts = Ports & Pick<ApiPorts, 'tokenTags'>

/** The key is in this answer and nowhere else; the same id again finds the key that is there. */
export const createApiKey = async (
  ports: TokenPorts,
  { tenant, label, ratePerMinute = null }: ApiKeyOrder,
  id: string = newRef(apiKey, ports.runtime),
): Promise<CreatedApiKey | Refused> => {
  const known = await livingTenant(ports, tenant)
  if (isRefused(known)) return known
  const ref = apiKey.ref(id)
  const key = apiKeyTokens.make(ports.tokenTags, ref)
  const rate = ratePerMinute ?? ratesOf(known).keyRatePerMinute
  const facts = { tenant, label: label.slice(0, 200), lastFour: key.slice(-4), ratePerMinute: rate }
  const secretHash = hashOfToken(key)
  const record = await ports.actors.ask(
    ref,
    { type: 'CreateApiKey', atMs: ports.runtime.now(), ...facts, secretHash },
    { commandId: `CreateApiKey:${id}`, tenant: null },
  )
  if (isRefused(record)) return record
  return { id, key: record.secretHash === secretHash ? key : null, apiKey: record }
}

/** What is no id of a key is refused like a key that does not exist. */
export const readApiKey = (
  { actors }: Pick<ApiPorts, 'actors'>,
  id: string,
): Eventually<ApiKeyRecord | Refused> => {
  const ref = apiKey.find(id)
  return ref === null ? noSuchApiKey : actors.read(ref)
}

export const revokeApiKey = async (
  { actors, runtime }: Ports,
  id: string,
): Promise<ApiKeyRecord | Refused> => {
  const ref = apiKey.find(id)
  if (ref === null) return noSuchApiKey
  const command = { type: 'RevokeApiKey', atMs: runtime.now() } as const
  return actors.ask(ref, command, { commandId: `RevokeApiKey:${id}`, tenant: null })
}

export const setApiKeyRate = async (
  { actors, runtime }: Ports,
  id: string,
  ratePerMinute: number | null,
): Promise<ApiKeyRecord | Refused> => {
  const ref = apiKey.find(id)
  if (ref === null) return noSuchApiKey
  const atMs = runtime.now()
  const commandId = `rate:${ratePerMinute}:${atMs}`
  return actors.ask(ref, { type: 'SetApiKeyRate', atMs, ratePerMinute }, { commandId, tenant: null })
}

type ApiKeyOwned = {
  readonly keyId: string
  readonly tenantId: string
  readonly ratePerMinute: number | null
  readonly tenantRatePerMinute: number | null
}

type OwnerOfApiKey = ApiKeyOwned | (Refused & { readonly owned: ApiKeyOwned }) | null

type OwnerPorts = Pick<ApiPorts, 'actors'> & {
  readonly activeTenants: Pick<ApiPorts['activeTenants'], 'refusal' | 'rateOf'>
}

type KeyCheck = { readonly mayLoad: () => boolean; readonly isRight: (record: ApiKeyRecord) => boolean }

/** The organisation of a key; null for an unknown or revoked key; refused while the organisation is suspended. */
export const ownerOfApiKey = (
  ports: OwnerPorts & Pick<ApiPorts, 'tokenTags'>,
  key: string,
): Eventually<OwnerOfApiKey> => {
  const keyId = apiKeyTokens.ownerOf(key)
  if (keyId === null) return null
  const mayLoad = (): boolean => apiKeyTokens.isOurs(ports.tokenTags, key)
  return ownerOf(ports, keyId, { mayLoad, isRight: ({ secretHash }) => isTokenWithHash(key, secretHash) })
}

/** Whether a caller who was identified by the key could be so now. */
export const isKeyGood = async (ports: OwnerPorts, keyId: string): Promise<boolean> => {
  const owner = await ownerOf(ports, keyId, { mayLoad: () => true, isRight: () => true })
  return owner !== null && !isRefused(owner)
}

/** Answers at once where the key is in memory here: every request of an organisation comes this way. */
const ownerOf = (
  { actors, activeTenants }: OwnerPorts,
  keyId: string,
  { mayLoad, isRight }: KeyCheck,
): Eventually<OwnerOfApiKey> =>
  chain(actors.read(apiKey.ref(keyId), { mayLoad }), (record) => {
    if (isRefused(record) || record.status !== 'active' || !isRight(record)) return null
    const { tenant: tenantId, ratePerMinute } = record
    return chain(activeTenants.refusal(tenantId), (refused) => {
      const owned = { keyId, tenantId, ratePerMinute, tenantRatePerMinute: activeTenants.rateOf(tenantId) }
      return refused === null ? owned : { ...refused, owned }
    })
  })
