import { Type } from 'typebox'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { statusQuery } from '../../http/route/list.ts'
import { NOT_BLANK, exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { createTenant, resumeTenant, suspendTenant } from './commands.ts'
import { readTenant } from './read.ts'
import { tenantSchema, tenantView } from './record.ts'
import { tenant, type TenantRecord } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'identityOf' | 'activeTenants'>

const PATH = '/v1/operator/tenants'
const CHANGING = ['status', 'registered', 'lastError', 'updatedAt']
const NAME_CHARACTERS_MAX = 200
const createRefusals = ['invalid_request'] as const
const unknown = ['not_found'] as const

const order = exact({
  name: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    pattern: NOT_BLANK,
    description: 'What it is called.',
    examples: ['Registry of Example'],
  }),
})

const answer = (id: string, found: TenantRecord | Refused) =>
  isRefused(found) ? refusal(unknown, found) : reply(200, tenantView(id, found))

const viewOf = async (ports: Ports, id: string) => {
  const found = await readTenant(ports, id)
  return isRefused(found) ? null : tenantView(id, found)
}

/** Organisations, as the operators of the service see them. */
export const operatorTenantRoutes = (ports: Ports): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: PATH,
    tag: tags.operators,
    callers: ['operator'],
    kind: 'tenant',
    noun: 'organisation',
    list: {
      operationId: 'listTenants',
      summary: 'Lists organisations, newest first; q looks in their names',
    },
    show: { operationId: 'getTenant', summary: 'Shows an organisation' },
    query: statusQuery(['active', 'suspended']),
    record: tenantSchema,
    view: (_, id) => viewOf(ports, id),
  })
  return [
    list,
    defineRoute({
      method: 'POST',
      path: PATH,
      operationId: 'createTenant',
      summary: 'Creates an organisation and its identity on the ledger',
      tag: tags.operators,
      access: { callers: ['operator'] },
      body: order,
      responses: { 201: tenantSchema },
      errors: createRefusals,
      idempotency: {
        newRecordId: () => newRef(tenant, ports.runtime),
        showRecord: (_, id) => viewOf(ports, id),
        storedFields: CHANGING,
      },
      handle: async ({ body, recordId }) => {
        const made = await createTenant(ports, body.name, recordId)
        return isRefused(made) ? refusal(createRefusals, made) : reply(201, tenantView(recordId, made.tenant))
      },
    }),
    show,
    switching(ports, {
      operationId: 'suspendTenant',
      path: `${PATH}/{id}/suspend`,
      summary: 'Suspends an organisation: its keys and sessions are refused, its holders are not',
      order: suspendTenant,
    }),
    switching(ports, {
      operationId: 'resumeTenant',
      path: `${PATH}/{id}/resume`,
      summary: 'Ends the suspension of an organisation',
      order: resumeTenant,
    }),
  ]
}

type Switching = {
  readonly operationId: string
  readonly path: `${string}/{id}/${string}`
  readonly summary: string
  readonly order: (ports: Ports, id: string) => Promise<TenantRecord | Refused>
}

const switching = (ports: Ports, { order: change, ...named }: Switching): Route =>
  defineRoute({
    ...named,
    method: 'POST',
    tag: tags.operators,
    access: { callers: ['operator'], needsStepUp: true },
    idempotency: {
      newRecordId: ({ params: { id = '' } }) => tenant.find(id) ?? newRef(tenant, ports.runtime),
      showRecord: (_, id) => viewOf(ports, id),
      storedFields: CHANGING,
    },
    audit: {
      organisation: async ({ params: { id = '' } }) => (isRefused(await readTenant(ports, id)) ? null : id),
    },
    responses: { 200: tenantSchema },
    errors: unknown,
    handle: async ({ params: { id } }) => answer(id, await change(ports, id)),
  })
