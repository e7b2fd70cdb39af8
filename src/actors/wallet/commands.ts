import { chain, type Eventually } from '../../domain/eventually.ts'
import type { Ref } from '../../domain/references.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { bearerTokens, hashOfToken, isTokenWithHash } from '../tokens.ts'
import { refOfText } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { activeTenant } from '../tenant/read.ts'
import { noSuchWallet, type WalletRecord, type WalletTypes, wallet } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>
type TokenPorts = Ports &
  Pick<ApiPorts, 'tokenTags'> & { readonly vault: Pick<ApiPorts['vault'], 'fingerprint'> }

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

const walletTokens = bearerTokens('svc_wt_', wallet)

/** The wallet of an installation, made when there is none. The token is in this answer and nowhere else. */
export const issueWalletToken = async (
  ports: TokenPorts,
  order: WalletOrder,
): Promise<IssuedWallet | Refused> => {
  const { tenant, installationId, externalId } = order
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const id = await walletOf(ports, order)
  const walletToken = walletTokens.make(ports.tokenTags, id)
  const facts = { tenant, installationId, externalId, tokenHash: hashOfToken(walletToken) }
  const record = await ports.actors.ask(
    id,
    { type: 'IssueWalletToken', atMs: ports.runtime.now(), ...facts },
    { commandId: `token:${ports.runtime.newId()}`, tenant },
  )
  return isRefused(record) ? record : { id, wallet: record, isNew: !record.isTokenRenewed, walletToken }
}

export const revokeWallet = async (
  { actors, runtime }: Ports,
  tenant: string,
  id: string,
): Promise<WalletRecord | Refused> => {
  const ref = wallet.find(id)
  if (ref === null) return noSuchWallet
  const command = { type: 'RevokeWallet', atMs: runtime.now(), tenant } as const
  return actors.ask(ref, command, { commandId: `revoke:${runtime.newId()}`, tenant })
}

/** The wallet of a token and its organisation; null for an unknown or replaced token and for a revoked wallet. */
export const ownerOfWalletToken = (
  { actors, tokenTags }: Pick<ApiPorts, 'actors' | 'tokenTags'>,
  token: string,
): Eventually<{ readonly walletId: string; readonly tenantId: string } | null> => {
  const walletId = walletTokens.ownerOf(token)
  if (walletId === null) return null
  const mayLoad = (): boolean => walletTokens.isOurs(tokenTags, token)
  return chain(actors.read(walletId, { mayLoad }), (record) => {
    if (isRefused(record) || record.status === 'revoked') return null
    return isTokenWithHash(token, record.tokenHash) ? { walletId, tenantId: record.tenant } : null
  })
}

/** A keyed hash: the same installation finds its wallet again, and an outsider cannot tell one from the other. */
const walletOf = async (
  { vault }: TokenPorts,
  { tenant, installationId }: WalletOrder,
): Promise<Ref<WalletTypes>> => refOfText(wallet, await vault.fingerprint(tenant, `wallet ${installationId}`))
