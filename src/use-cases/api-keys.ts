import { hash, randomBytes } from 'node:crypto'
import { API_KEY } from '../actors/tenants/api-key.ts'
import { isRefused, type Refused, refuse } from '../domain/refused.ts'
import { kindOf, shardOf } from '../domain/shards.ts'
import type { ApiKeyRecord, ApiKeyReply } from '../domain/tenants/api-key.ts'
import { afterwards, askQuestion } from './ask-question.ts'
import { readTenant } from './read-tenant.ts'
import type { TenantStanding } from './tenant-standing.ts'
import type { UseCasePorts } from './use-case-ports.ts'

const PREFIX = 'svc_sk_'
const READ = { type: 'ReadApiKey' } as const
const KEY = /^svc_sk_[A-Za-z0-9_-]{43}$/

/** Null for a text that cannot be a key, so that nothing is asked for it. */
export const apiKeyId = (key: string): string | null => {
  if (!KEY.test(key)) return null
  // The first two of the digits are those of the shard.
  return `${API_KEY}_${hash('sha256', key)}`
}

export type CreatedApiKey = { readonly id: string; readonly key: string; readonly apiKey: ApiKeyRecord }
type ReadPorts = Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>

/** The key is in this answer and nowhere else. */
export const createApiKey = async (
  ports: UseCasePorts,
  tenant: string,
  label: string,
  ratePerMinute: number | null = null,
): Promise<CreatedApiKey | Refused> => {
  const known = await readTenant(ports, tenant)
  if (isRefused(known)) return known
  const key = `${PREFIX}${randomBytes(32).toString('base64url')}`
  const id = apiKeyId(key) ?? ''
  const command = {
    type: 'CreateApiKey',
    atMs: ports.runtime.now(),
    tenant,
    label: label.slice(0, 200),
    lastFour: key.slice(-4),
  }
  const reply = await askKey(ports, id, command)
  if (isRefused(reply)) return reply
  const rated = ratePerMinute === null ? reply : await setApiKeyRate(ports, id, ratePerMinute)
  return isRefused(rated) ? rated : { id, key, apiKey: rated.apiKey }
}

/** Like one that nobody has, when it is no id of a key. */
export const readApiKey = async (ports: ReadPorts, id: string): Promise<ApiKeyRecord | Refused> => {
  if (shardOf(id) === null || kindOf(id) !== API_KEY)
    return refuse('not_found', 'There is no API key with this id.')
  const reply = await askQuestion<ApiKeyReply>(ports, id, READ, null)
  return isRefused(reply) ? reply : reply.apiKey
}

export const revokeApiKey = (ports: UseCasePorts, id: string): Promise<ApiKeyReply> =>
  askKey(ports, id, { type: 'RevokeApiKey', atMs: ports.runtime.now() })

export const setApiKeyRate = (
  ports: UseCasePorts,
  id: string,
  ratePerMinute: number | null,
): Promise<ApiKeyReply> => {
  const atMs = ports.runtime.now()
  return ports.actors.ask<ApiKeyReply>(
    id,
    { type: 'SetApiKeyRate', atMs, ratePerMinute },
    { commandId: `rate:${ratePerMinute}:${atMs}`, timeoutMs: ports.askTimeoutMs, tenant: null },
  )
}

type ApiKeyOwned = {
  readonly keyId: string
  readonly tenantId: string
  readonly ratePerMinute: number | null
}

type OwnerOfApiKey = ApiKeyOwned | Refused | null

type Standing = Pick<TenantStanding, 'refusal'>

/** Whose key it is; null when nobody's, or not any more; refused while its organisation is suspended. */
export const ownerOfApiKey = (
  ports: ReadPorts,
  standing: Standing,
  key: string,
): OwnerOfApiKey | Promise<OwnerOfApiKey> => {
  const keyId = apiKeyId(key)
  return keyId === null ? null : ownerOfKeyId(ports, standing, keyId)
}

/** Whether whoever was identified by the key could be so now. */
export const isKeyGood = async (ports: ReadPorts, standing: Standing, keyId: string): Promise<boolean> => {
  const owner = await ownerOfKeyId(ports, standing, keyId)
  return owner !== null && !isRefused(owner)
}

const ownerOfKeyId = (
  ports: ReadPorts,
  standing: Standing,
  keyId: string,
): OwnerOfApiKey | Promise<OwnerOfApiKey> =>
  afterwards(askQuestion<ApiKeyReply>(ports, keyId, READ, null), (reply) => {
    if (isRefused(reply) || reply.apiKey.status !== 'active') return null
    const { tenant, ratePerMinute } = reply.apiKey
    return afterwards(
      standing.refusal(tenant),
      (refused) => refused ?? { keyId, tenantId: tenant, ratePerMinute },
    )
  })

const askKey = (
  ports: UseCasePorts,
  id: string,
  command: { readonly type: string; readonly [field: string]: unknown },
): Promise<ApiKeyReply> =>
  ports.actors.ask<ApiKeyReply>(id, command, {
    commandId: `${command.type}:${id}`,
    timeoutMs: ports.askTimeoutMs,
    tenant: null,
  })
