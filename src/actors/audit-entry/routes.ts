import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { isRefused } from '../../domain/decider.ts'
import { id, organisationId, sentText } from '../../http/route/fields.ts'
import { exchangeQuery, listPage, pageOf, pageReply } from '../../http/route/list.ts'
import { defineRoute, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { openReason } from './commands.ts'
import { auditSchema, auditView } from './record.ts'
import { auditEntry } from './rules.ts'

const { externalId: _, state: __, ...paging } = exchangeQuery
const filters = {
  ...paging,
  action: Type.Optional(sentText(100, 'What was done: the name of an operation.', 'setWebhook')),
  initiatorId: Type.Optional(id),
  targetId: Type.Optional(id),
}

/** Who did what; an organisation sees what concerns it, operators see all, one organisation at a time. */
export const auditLogRoutes = (ports: Pick<ApiPorts, 'actors' | 'vault' | 'directory'>): readonly Route[] => {
  const show = async (entryId: string) => {
    const entry = await ports.actors.read(auditEntry.ref(entryId))
    if (isRefused(entry)) return null
    const { organisation, sealedReason } = entry
    const hasReason = organisation !== null && sealedReason !== undefined
    return auditView(entryId, entry, hasReason ? await openReason(ports, organisation, sealedReason) : null)
  }
  const page = (tenant: string, query: Parameters<typeof listPage>[2]) =>
    listPage(ports.directory, { tenant, kind: 'audit-entry' }, query, show)
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/audit-log',
      operationId: 'listAuditLog',
      summary: 'Lists who did what in the organisation, newest first; q looks in actions and targets',
      tag: tags.members,
      access: { callers: ['member'] },
      query: Type.Object(filters),
      responses: { 200: pageOf(auditSchema) },
      errors: ['invalid_request'],
      handle: async ({ caller, query, head }) => pageReply(head, await page(caller.tenantId, query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/operator/audit-log',
      operationId: 'listOperatorAuditLog',
      summary: 'Lists what the operators did, or who did what in one organisation, newest first',
      tag: tags.operators,
      access: { callers: ['operator'] },
      query: Type.Object({ ...filters, organisation: Type.Optional(organisationId) }),
      responses: { 200: pageOf(auditSchema) },
      errors: ['invalid_request'],
      handle: async ({ query: { organisation, ...query }, head }) =>
        pageReply(head, await page(organisation ?? OPERATORS, query)),
    }),
  ]
}
