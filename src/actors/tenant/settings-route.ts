import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { endorsementModes } from '../../domain/publishing.ts'
import { choice, exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { setEndorsementMode, setTenantRates } from './commands.ts'
import { readTenant } from './read.ts'
import { tenantSchema, tenantView } from './record.ts'

const RATE_PER_MINUTE_MAX = 1_000_000
const refusals = ['not_found', 'organisation_being_deleted'] as const

const rate = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: RATE_PER_MINUTE_MAX }), Type.Null()], {
      description,
      examples: [900],
    }),
  )

const settings = exact({
  endorsement: Type.Optional(
    choice(
      endorsementModes,
      'Who signs what it writes to the ledger from now on: the service itself, or the hand of an operator.',
      'manual',
    ),
  ),
  ratePerMinute: rate('Requests in any minute of all its API keys together; null: no such rate.'),
  keyRatePerMinute: rate('What each new API key may make; null: as many as every key may make.'),
})

/** What operators set for an organisation that is there. */
export const tenantSettingsRoute = (ports: Pick<ApiPorts, 'actors' | 'runtime' | 'activeTenants'>): Route =>
  defineRoute({
    method: 'PATCH',
    path: '/v1/operator/tenants/{id}',
    operationId: 'updateTenant',
    summary: 'Changes what is set for an organisation; what is left out stays',
    description:
      'With `endorsement` as `manual`, each schema and credential definition that is ordered from now on waits as `awaiting_endorsement` until an operator approves or refuses it (`/v1/operator/endorsements`). A request counts for the rate of its key and for that of its organisation, and both must have room. Keys that there are keep their own rate: `PATCH /v1/operator/api-keys/{id}` changes it.',
    tag: tags.operators,
    access: { callers: ['operator'] },
    audit: {
      organisation: async ({ params: { id = '' } }) => (isRefused(await readTenant(ports, id)) ? null : id),
    },
    body: settings,
    responses: { 200: tenantSchema },
    errors: refusals,
    handle: async ({ params: { id }, body: { endorsement, ...rates } }) => {
      const rated = await setTenantRates(ports, id, rates)
      const changed =
        isRefused(rated) || endorsement === undefined
          ? rated
          : await setEndorsementMode(ports, id, endorsement)
      return isRefused(changed) ? refusal(refusals, changed) : reply(200, tenantView(id, changed))
    },
  })
