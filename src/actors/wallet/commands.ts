import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../ports/vault.ts'
import { WALLET } from './kind.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { actorId, kindOf, shardOf } from '../../domain/shards.ts'
import type { WalletCommand, WalletRecord, WalletReply } from './rules.ts'
import { activeTenant } from '../tenant/read.ts'
import type { UseCasePorts } from '../command-ports.ts'

export type WalletPorts = UseCasePorts & { readonly vault: Pick<Vault, 'fingerprint'> }

export type WalletOrder = {
  readonly tenant: string
  /** Of the app, in lower case. */
  readonly installationId: string
  readonly externalId: string | null
}

export type IssuedWallet = {
  readonly id: string
  readonly wallet: WalletRecord
  readonly isNew: boolean
  readonly walletToken: string
}

const UNIQUE_CHARACTERS = 32
const TOKEN = /^svc_wt_([0-9a-f]{34})([A-Za-z0-9_-]{43})$/

/** The wallet of an installation, made when there is none. The token is in this answer and nowhere else. */
export const issueWalletToken = async (
  ports: WalletPorts,
  order: WalletOrder,
): Promise<IssuedWallet | Refused> => {
  const tenant = await activeTenant(ports, order.tenant)
  if (isRefused(tenant)) return tenant
  const id = await walletIdOf(ports, order)
  const walletToken = `svc_wt_${id.slice(WALLET.length + 1)}${randomBytes(32).toString('base64url')}`
  const reply = await ask(ports, id, order.tenant, `token:${ports.runtime.newId()}`, {
    type: 'IssueWalletToken',
    atMs: ports.runtime.now(),
    ...order,
    tokenHash: hashOf(walletToken),
  })
  return 'wallet' in reply ? { id, ...reply, walletToken } : reply
}

export const revokeWallet = async (
  ports: UseCasePorts,
  tenant: string,
  id: string,
): Promise<WalletRecord | Refused> => {
  if (shardOf(id) === null || kindOf(id) !== WALLET)
    return refuse('not_found', 'There is no wallet with this id.')
  const command = { type: 'RevokeWallet', atMs: ports.runtime.now(), tenant } as const
  const reply = await ask(ports, id, tenant, `revoke:${ports.runtime.newId()}`, command)
  return 'wallet' in reply ? reply.wallet : reply
}

/** Whose token it is; null when nobody's, or not any more. A token names its wallet, which knows the hash. */
export const ownerOfWalletToken = async (
  ports: Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>,
  token: string,
): Promise<{ readonly walletId: string; readonly tenantId: string } | null> => {
  const unique = TOKEN.exec(token)?.[1]
  if (unique === undefined) return null
  const walletId = `${WALLET}_${unique}`
  const reply = await ask(ports, walletId, null, '', { type: 'ReadWallet' })
  if (!('wallet' in reply) || reply.wallet.status === 'revoked') return null
  const [shown, known] = [hashOf(token), reply.wallet.tokenHash].map((hash) => Buffer.from(hash, 'hex'))
  const isSame = shown !== undefined && known?.length === shown.length && timingSafeEqual(shown, known)
  return isSame ? { walletId, tenantId: reply.wallet.tenant } : null
}

/** A keyed hash: the same installation finds its wallet again, and nobody can tell one from the other. */
const walletIdOf = async (
  { vault }: WalletPorts,
  { tenant, installationId }: WalletOrder,
): Promise<string> => {
  const keyed = await vault.fingerprint(tenant, `wallet ${installationId}`)
  const digest = createHash('sha256').update(keyed).digest()
  return actorId(WALLET, digest[0] ?? 0, digest.subarray(1).toString('hex').slice(0, UNIQUE_CHARACTERS))
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const ask = (
  { actors, askTimeoutMs }: Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>,
  id: string,
  tenant: string | null,
  commandId: string,
  command: WalletCommand,
): Promise<WalletReply> =>
  actors.ask<WalletReply>(id, command, { commandId, timeoutMs: askTimeoutMs, tenant })
