import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { externalIdFilter, statusQuery } from '../../http/route/list.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { exact, externalId } from '../../http/route/fields.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { issueWalletToken, revokeWallet } from './commands.ts'
import { walletSchema, walletView, walletWithTokenSchema } from './record.ts'
import { wallet } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault' | 'directory' | 'tokenTags'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const refusals = ['invalid_request', 'forbidden', 'wallet_revoked', 'idempotency_key_reused'] as const

export const walletRoutes = (ports: Ports): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: '/v1/wallets',
    tag: tags.wallets,
    callers: TENANT_CALLERS,
    kind: 'wallet',
    noun: 'wallet',
    list: {
      operationId: 'listWallets',
      summary: 'Lists wallets, newest first',
      description: '`q` looks in the external id and in the installation id.',
    },
    show: { operationId: 'getWallet', summary: 'Shows a wallet' },
    query: {
      ...statusQuery(['pending', 'active', 'revoked']),
      externalId: Type.Optional(externalIdFilter),
    },
    record: walletSchema,
    view: shownRecord(ports, wallet, walletView),
  })
  return [...issuing(ports), list, show]
}

const issuing = (ports: Ports): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/wallets',
    operationId: 'createWallet',
    summary: 'Creates the wallet of an installation, or gives it a fresh token',
    description:
      'The `Idempotency-Key` is the UUID that the app made once. The same installation gets the same wallet at any later time, with a fresh token: the token before stops working. 201 the first time, 200 from then on.',
    tag: tags.wallets,
    access: { callers: TENANT_CALLERS, needsStepUp: true },
    body: exact({ externalId: Type.Optional(externalId) }),
    responses: { 200: walletWithTokenSchema, 201: walletWithTokenSchema },
    errors: refusals,
    idempotency: { keyMeaning: 'The installation: a UUID that the app makes once.' },
    handle: async ({ caller, body, head }) => {
      const installationId = (head.headers.get('idempotency-key') ?? '').toLowerCase()
      if (!UUID.test(installationId))
        return problem('invalid_request', 'Idempotency-Key must be the UUID of the installation.')
      const order = { tenant: caller.tenantId, installationId, externalId: body.externalId ?? null }
      const issued = await issueWalletToken(ports, order)
      if (isRefused(issued)) return refusal(refusals, issued)
      const { id, walletToken, isNew } = issued
      return reply(isNew ? 201 : 200, { ...walletView(id, issued.wallet), walletToken })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/wallets/{id}',
    operationId: 'revokeWallet',
    summary: 'Revokes a wallet and its token',
    description: 'The token stops working at once. Revoking it again changes nothing.',
    tag: tags.wallets,
    access: { callers: TENANT_CALLERS },
    responses: { 200: walletSchema },
    errors: ['not_found'],
    handle: async ({ caller, params }) => {
      const revoked = await revokeWallet(ports, caller.tenantId, params.id)
      return isRefused(revoked)
        ? refusal(['not_found'] as const, revoked)
        : reply(200, walletView(params.id, revoked))
    },
  }),
]
