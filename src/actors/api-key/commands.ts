import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chain, type Eventually } from '../../domain/eventually.ts'
import { API_KEY } from './kind.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import type { ApiKeyRecord, ApiKeyReply } from './rules.ts'
import { askQuestion } from '../ask-question.ts'
import { newRecordId } from '../ids.ts'
import { readTenant } from '../tenant/read.ts'
import type { TenantStanding } from '../tenant/active-tenants.ts'
import type { UseCasePorts } from '../command-ports.ts'

const PREFIX = 'svc_sk_'
const READ = { type: 'ReadApiKey' } as const
const KEY = /^svc_sk_([0-9a-f]{2}[0-9a-z]{8,40})?[A-Za-z0-9_-]{43}$/

/** What a key says of itself; null for a text that cannot be one, so that nothing is asked for it. */
export const readApiKeyText = (
  key: string,
): { readonly id: string; readonly secretHash: string | null } | null => {
  const found = KEY.exec(key)
  if (found === null) return null
  const digest = hash('sha256', key)
  const [, unique] = found
  // A key from before names no actor: its hash does, whose first two digits are those of the shard.
  return unique === undefined
    ? { id: `${API_KEY}_${digest}`, secretHash: null }
    : { id: `${API_KEY}_${unique}`, secretHash: digest }
}

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

export const newApiKeyId = (runtime: UseCasePorts['runtime']): string => newRecordId(API_KEY, runtime)

type ReadPorts = Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>

/** The key is in this answer and nowhere else; the same id again finds the key that is there. */
export const createApiKey = async (
  ports: UseCasePorts,
  { tenant, label, ratePerMinute = null }: ApiKeyOrder,
  id: string,
): Promise<CreatedApiKey | Refused> => {
  const known = await readTenant(ports, tenant)
  if (isRefused(known)) return known
  const key = `${PREFIX}${id.slice(API_KEY.length + 1)}${randomBytes(32).toString('base64url')}`
  const secretHash = hash('sha256', key)
  const command = {
    type: 'CreateApiKey',
    atMs: ports.runtime.now(),
    tenant,
    label: label.slice(0, 200),
    lastFour: key.slice(-4),
    secretHash,
    ratePerMinute,
  }
  const reply = await askKey(ports, id, command)
  if (isRefused(reply)) return reply
  return { id, key: reply.apiKey.secretHash === secretHash ? key : null, apiKey: reply.apiKey }
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

type OwnerOfApiKey = ApiKeyOwned | (Refused & { readonly owned: ApiKeyOwned }) | null

type Standing = Pick<TenantStanding, 'refusal'>

/** Whose key it is; null when nobody's, or not any more; refused while its organisation is suspended. */
export const ownerOfApiKey = (
  ports: ReadPorts,
  standing: Standing,
  key: string,
): Eventually<OwnerOfApiKey> => {
  const shown = readApiKeyText(key)
  if (shown === null) return null
  return ownerOfKeyId(ports, standing, shown.id, (apiKey) => isSame(shown.secretHash, apiKey.secretHash))
}

/** Whether whoever was identified by the key could be so now. */
export const isKeyGood = async (ports: ReadPorts, standing: Standing, keyId: string): Promise<boolean> => {
  const owner = await ownerOfKeyId(ports, standing, keyId, () => true)
  return owner !== null && !isRefused(owner)
}

const ownerOfKeyId = (
  ports: ReadPorts,
  standing: Standing,
  keyId: string,
  isRight: (apiKey: ApiKeyRecord) => boolean,
): Eventually<OwnerOfApiKey> =>
  chain(askQuestion<ApiKeyReply>(ports, keyId, READ, null), (reply) => {
    if (isRefused(reply) || reply.apiKey.status !== 'active') return null
    if (!isRight(reply.apiKey)) return null
    const { tenant, ratePerMinute } = reply.apiKey
    return chain(standing.refusal(tenant), (refused) => {
      const owned = { keyId, tenantId: tenant, ratePerMinute }
      return refused === null ? owned : { ...refused, owned }
    })
  })

const isSame = (shown: string | null, known: string | null): boolean => {
  if (shown === null || known === null) return shown === known
  return shown.length === known.length && timingSafeEqual(Buffer.from(shown), Buffer.from(known))
}

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
