import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import type { WalletRecord } from './rules.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { externalIdFilter, listPage, pageOf, pageQuery, pageReply } from '../../http/route/list.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { exact, externalId } from '../../http/route/fields.ts'
import { walletSchema, walletView, walletWithTokenSchema } from './record.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { Api } from '../api.ts'
import { tags } from '../tags.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const refusals = ['invalid_request', 'forbidden', 'wallet_revoked', 'idempotency_key_reused'] as const

export const walletRoutes = (api: Api): readonly Route[] => [...issuing(api), ...reading(api)]

const issuing = (api: Api): readonly Route[] => [
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
      const issued = await api.issueWalletToken(order)
      if (isRefused(issued)) return refusal(refusals, issued)
      const { id, wallet, walletToken } = issued
      return reply(issued.isNew ? 201 : 200, { ...walletView(id, wallet), walletToken })
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
      const revoked = await api.revokeWallet(caller.tenantId, params.id)
      return isRefused(revoked)
        ? refusal(['not_found'] as const, revoked)
        : reply(200, walletView(params.id, revoked))
    },
  }),
]

const reading = (api: Api): readonly Route[] => {
  const view = async (tenant: string, walletId: string) => {
    const record = await api.read<WalletRecord>(tenant, 'wal', walletId)
    return record === null ? null : walletView(walletId, record)
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/wallets',
      operationId: 'listWallets',
      summary: 'Lists wallets, newest first',
      description: '`q` looks in the external id and in the installation id.',
      tag: tags.wallets,
      access: { callers: TENANT_CALLERS },
      query: Type.Object({
        ...pageQuery,
        status: Type.Optional(
          Type.Unsafe<string>({
            type: 'string',
            enum: ['pending', 'active', 'revoked'],
            description: 'In this state.',
          }),
        ),
        externalId: Type.Optional(externalIdFilter),
      }),
      responses: { 200: pageOf(walletSchema) },
      errors: ['invalid_request'],
      handle: async ({ caller: { tenantId: tenant }, query: { status, ...rest }, head }) => {
        const request = status === undefined ? rest : { ...rest, state: [status] }
        const page = await listPage(api.directory, { tenant, kind: 'wallet' }, request, (each) =>
          view(tenant, each),
        )
        return pageReply(head, page)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/wallets/{id}',
      operationId: 'getWallet',
      summary: 'Shows a wallet',
      tag: tags.wallets,
      access: { callers: TENANT_CALLERS },
      responses: { 200: walletSchema },
      errors: ['not_found'],
      handle: async ({ caller, params }) => {
        const found = await view(caller.tenantId, params.id)
        return found === null ? problem('not_found', 'There is no wallet with this id.') : reply(200, found)
      },
    }),
  ]
}
