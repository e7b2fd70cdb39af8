import { isRefused } from '../../domain/decider.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { readTenant } from './read.ts'
import { tenantSchema, tenantView } from './record.ts'

const refusals = ['not_found'] as const

/** What a person, or an operator who acts for it, is to be told about the organisation whose records are shown. */
export const organisationRoute = (ports: Pick<ApiPorts, 'actors'>): Route =>
  defineRoute({
    method: 'GET',
    path: '/v1/organisation',
    operationId: 'getOrganisation',
    summary: 'Shows your organisation',
    tag: tags.members,
    access: { callers: ['member'] },
    responses: { 200: tenantSchema },
    errors: refusals,
    handle: async ({ caller }) => {
      const found = await readTenant(ports, caller.tenantId)
      return isRefused(found) ? refusal(refusals, found) : reply(200, tenantView(caller.tenantId, found))
    },
  })
