import { Type } from 'typebox'
import type { TemplateRecord } from './rules.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { listPage, pageOf, pageQuery, pageReply } from '../../http/route/list.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { exact } from '../../http/route/fields.ts'
import { templateContent, templateSchema, templateView } from './record.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { Api } from '../api.ts'
import { tags } from '../tags.ts'

const PATH = '/v1/proof-templates'
const TEMPLATE = 'tpl'
const FIELDS = ['name', 'description', 'groups', 'predicates', 'status', 'updatedAt']
const { name, description, groups, predicates } = templateContent
const refusals = ['invalid_request', 'not_found', 'credential_definition_not_found'] as const

const isTemplateId = (id: string): boolean => shardOf(id) !== null && kindOf(id) === TEMPLATE

/** By its id in the path a template is as unknown as anything else. */
const refused = (found: Refused) =>
  found.refused === 'proof_template_not_found' ? problem('not_found', found.reason) : refusal(refusals, found)

export const proofTemplateRoutes = (api: Api): readonly Route[] => {
  const view = async (tenant: string, templateId: string) => {
    const record = await api.read<TemplateRecord>(tenant, 'tpl', templateId)
    return record === null ? null : templateView(templateId, record)
  }
  return [...reading(api, view), ...writing(api, view)]
}

type View = (tenant: string, templateId: string) => Promise<ReturnType<typeof templateView> | null>

const reading = (api: Api, view: View): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listProofTemplates',
    summary: 'Lists proof templates, newest first',
    description: '`q` looks in the name.',
    tag: tags.proofTemplates,
    access: { callers: TENANT_CALLERS },
    query: Type.Object(pageQuery),
    responses: { 200: pageOf(templateSchema) },
    errors: ['invalid_request'],
    handle: async ({ caller: { tenantId: tenant }, query, head }) => {
      const of = { tenant, kind: 'proof-template' } as const
      const page = await listPage(api.directory, of, query, (each) => view(tenant, each))
      return pageReply(head, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/{id}`,
    operationId: 'getProofTemplate',
    summary: 'Shows a proof template',
    tag: tags.proofTemplates,
    access: { callers: TENANT_CALLERS },
    responses: { 200: templateSchema },
    errors: ['not_found'],
    handle: async ({ caller, params }) => {
      const found = await view(caller.tenantId, params.id)
      return found === null
        ? problem('not_found', 'There is no proof template with this id.')
        : reply(200, found)
    },
  }),
]

const writing = (api: Api, view: View): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createProofTemplate',
    summary: 'Creates a proof template',
    description:
      'Each group is answered by one credential. The names are checked against the published definitions. The service adds `expiresAt > now` to every group.',
    tag: tags.proofTemplates,
    access: { callers: ['member'] },
    body: exact({
      name,
      description: Type.Optional(description),
      groups,
      predicates: Type.Optional(predicates),
    }),
    responses: { 201: templateSchema },
    errors: refusals,
    idempotency: { newRecordId: () => api.newId.of('tpl'), showRecord: view, storedFields: FIELDS },
    handle: async ({ caller, body, recordId }) => {
      const content = { description: null, predicates: [], ...body, tenant: caller.tenantId }
      const made = await api.createProofTemplate(content, recordId)
      return isRefused(made) ? refused(made) : reply(201, templateView(made.id, made.template))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${PATH}/{id}`,
    operationId: 'editProofTemplate',
    summary: 'Changes a proof template; requests that were sent stay as they are',
    tag: tags.proofTemplates,
    access: { callers: ['member'] },
    body: Type.Partial(exact({ name, description, groups, predicates }), { additionalProperties: false }),
    responses: { 200: templateSchema },
    errors: refusals,
    handle: async ({ caller, params, body }) => {
      const edited = await api.editProofTemplate(caller.tenantId, params.id, body)
      return isRefused(edited) ? refused(edited) : reply(200, templateView(edited.id, edited.template))
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/{id}/archive`,
    operationId: 'archiveProofTemplate',
    summary: 'Archives a proof template: no proof is requested with it any more',
    tag: tags.proofTemplates,
    access: { callers: ['member'] },
    responses: { 200: templateSchema },
    errors: ['not_found'],
    idempotency: {
      // Whatever else stands in the path is not to be kept with the key.
      newRecordId: ({ params: { id = '' } }) => (isTemplateId(id) ? id : api.newId.of(TEMPLATE)),
      showRecord: view,
      storedFields: FIELDS,
    },
    handle: async ({ caller, params }) => {
      const archived = await api.archiveProofTemplate(caller.tenantId, params.id)
      return isRefused(archived)
        ? problem('not_found', archived.reason)
        : reply(200, templateView(archived.id, archived.template))
    },
  }),
]
