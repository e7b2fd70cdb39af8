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
import { createTenant, orderDeletion, restoreTenant, resumeTenant, suspendTenant } from './commands.ts'
import { readTenant } from './read.ts'
import { TENANT_STATUSES, tenantSchema, tenantView } from './record.ts'
import { tenant, type TenantRecord } from './rules.ts'
import { tenantSettingsRoute } from './settings-route.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'identityOf' | 'activeTenants'>

const PATH = '/v1/operator/tenants'
const CHANGING = [
  'status',
  'deletesAt',
  'registered',
  'lastError',
  'endorsement',
  'ratePerMinute',
  'keyRatePerMinute',
  'updatedAt',
]
const NAME_CHARACTERS_MAX = 200
const createRefusals = ['invalid_request'] as const
const unknown = ['not_found'] as const
const switchRefusals = ['not_found', 'organisation_being_deleted'] as const
const deletionRefusals = ['not_found', 'invalid_request'] as const

const nameText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    pattern: NOT_BLANK,
    description,
    examples: ['Registry of Example'],
  })
const order = exact({ name: nameText('What it is called.') })
const confirmation = exact({
  name: nameText(
    'The name of the organisation once more, letter by letter; its id, where the name is null because its key is lost.',
  ),
})

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
    query: statusQuery(TENANT_STATUSES),
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
    tenantSettingsRoute(ports),
    ...orderingRoutes(ports),
  ]
}

const organisationIn =
  (ports: Ports) =>
  async ({ params: { id = '' } }: WithId): Promise<string | null> =>
    isRefused(await readTenant(ports, id)) ? null : id

/** What is ordered about an organisation that is there. */
const orderingRoutes = (ports: Ports): readonly Route[] => [
  switching(ports, {
    operationId: 'suspendTenant',
    path: `${PATH}/{id}/suspend`,
    summary: 'Suspends an organisation: its keys and sessions are refused, its holders are not',
    refusals: unknown,
    order: suspendTenant,
  }),
  switching(ports, {
    operationId: 'resumeTenant',
    path: `${PATH}/{id}/resume`,
    summary: 'Ends the suspension of an organisation',
    refusals: switchRefusals,
    order: resumeTenant,
  }),
  defineRoute({
    ...switched(ports),
    path: `${PATH}/{id}/delete`,
    operationId: 'deleteTenant',
    summary: 'Orders the deletion of an organisation, which begins after 7 days',
    description:
      'Until then it is suspended and rests: nothing of it is sent, nothing is erased by retention, no time of its holders runs out, and `POST …/{id}/restore` calls it back. Then everything goes: records, lists, wallets, private keys, webhook deliveries, API keys, accounts of its people. The audit log and the log of erasures stay. What remains of the organisation is a record without a name.',
    body: confirmation,
    responses: { 200: tenantSchema },
    errors: deletionRefusals,
    handle: async ({ params: { id }, body }) => {
      const ordered = await orderDeletion(ports, id, body.name)
      return isRefused(ordered) ? refusal(deletionRefusals, ordered) : reply(200, tenantView(id, ordered))
    },
  }),
  switching(ports, {
    operationId: 'restoreTenant',
    path: `${PATH}/{id}/restore`,
    summary: 'Calls the deletion of an organisation back, as long as it has not begun',
    refusals: switchRefusals,
    order: restoreTenant,
  }),
]

type Switching = {
  readonly operationId: string
  readonly path: `${string}/{id}/${string}`
  readonly summary: string
  readonly refusals: typeof unknown | typeof switchRefusals
  readonly order: (ports: Ports, id: string) => Promise<TenantRecord | Refused>
}

const switching = (ports: Ports, { order: change, refusals, ...named }: Switching): Route =>
  defineRoute({
    ...switched(ports),
    ...named,
    responses: { 200: tenantSchema },
    errors: refusals,
    handle: async ({ params: { id } }) => {
      const found = await change(ports, id)
      return isRefused(found) ? refusal(refusals, found) : reply(200, tenantView(id, found))
    },
  })

/** What all orders about an organisation that is there have in common. */
const switched = (ports: Ports) =>
  ({
    method: 'POST',
    tag: tags.operators,
    access: { callers: ['operator'], needsStepUp: true },
    idempotency: {
      newRecordId: ({ params: { id = '' } }: WithId) => tenant.find(id) ?? newRef(tenant, ports.runtime),
      showRecord: (_: string, id: string) => viewOf(ports, id),
      storedFields: CHANGING,
    },
    audit: { organisation: organisationIn(ports) },
  }) as const

type WithId = { readonly params: { readonly id?: string } }
