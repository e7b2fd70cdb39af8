import { Type } from 'typebox'
import type { Eventually } from '../../domain/eventually.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { pageQuery } from '../../http/route/list.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { exact } from '../../http/route/fields.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { archiveProofTemplate, createProofTemplate, editProofTemplate } from './commands.ts'
import { sentPredicates, templateContent, templateSchema, templateView } from './record.ts'
import { proofTemplate, type TemplateRecord } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'catalogue' | 'namespace' | 'directory'>

const PATH = '/v1/proof-templates'
const FIELDS = ['name', 'description', 'groups', 'predicates', 'status', 'biometricRequired', 'updatedAt']
const { name, description, groups, biometricRequired } = templateContent
const refusals = [
  'invalid_request',
  'not_found',
  'credential_definition_not_found',
  'biometric_vendor_missing',
] as const

const answer = (id: string, found: TemplateRecord | Refused) =>
  isRefused(found) ? refused(found) : reply(200, templateView(id, found))

/** By its id in the path a template is as unknown as anything else. */
const refused = (found: Refused) =>
  found.refused === 'proof_template_not_found' ? problem('not_found', found.reason) : refusal(refusals, found)

export const proofTemplateRoutes = (ports: Ports): readonly Route[] => {
  const view = shownRecord(ports, proofTemplate, templateView)
  const { list, show } = readingRoutes(ports, {
    path: PATH,
    tag: tags.proofTemplates,
    callers: TENANT_CALLERS,
    kind: 'proof-template',
    noun: 'proof template',
    list: {
      operationId: 'listProofTemplates',
      summary: 'Lists proof templates, newest first',
      description: '`q` looks in the name.',
    },
    show: { operationId: 'getProofTemplate', linkedBy: 'proofTemplateId', summary: 'Shows a proof template' },
    query: pageQuery,
    record: templateSchema,
    view,
  })
  return [list, show, ...writing(ports, view)]
}

type View = (tenant: string, id: string) => Eventually<ReturnType<typeof templateView> | null>

const writing = (ports: Ports, view: View): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createProofTemplate',
    summary: 'Creates a proof template',
    description:
      'Each group is answered by one credential. The names are checked against the published definitions. The service adds `expiresAt > now` to every group, and an upper bound to what is compared by `>` or `>=`, which a text would meet.',
    tag: tags.proofTemplates,
    access: { callers: ['member'] },
    body: exact({
      name,
      description: Type.Optional(description),
      groups,
      predicates: Type.Optional(sentPredicates),
      biometricRequired: Type.Optional(biometricRequired),
    }),
    responses: { 201: templateSchema },
    errors: refusals,
    idempotency: {
      newRecordId: () => newRef(proofTemplate, ports.runtime),
      showRecord: view,
      storedFields: FIELDS,
    },
    handle: async ({ caller, body, recordId }) => {
      const usual = { description: null, predicates: [], biometricRequired: false }
      const content = { ...usual, ...body, tenant: caller.tenantId }
      const made = await createProofTemplate(ports, content, recordId)
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
    body: Type.Partial(exact({ name, description, groups, predicates: sentPredicates, biometricRequired }), {
      additionalProperties: false,
    }),
    responses: { 200: templateSchema },
    errors: refusals,
    handle: async ({ caller, params: { id }, body }) =>
      answer(id, await editProofTemplate(ports, caller.tenantId, id, body)),
  }),
  archiving(ports, view),
]

const archiving = (ports: Ports, view: View): Route =>
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
      // A text in the path that is no id may be anything, and must not be kept with the key.
      newRecordId: ({ params: { id = '' } }) =>
        proofTemplate.find(id) ?? newRef(proofTemplate, ports.runtime),
      showRecord: view,
      storedFields: FIELDS,
    },
    handle: async ({ caller, params: { id } }) => {
      const archived = await archiveProofTemplate(ports, caller.tenantId, id)
      return isRefused(archived)
        ? problem('not_found', archived.reason)
        : reply(200, templateView(id, archived))
    },
  })
