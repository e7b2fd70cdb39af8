import { type Static, Type } from 'typebox'
import { endorsementModes } from '../../domain/publishing.ts'
import { deletesAtMs, endorsementModeOf, ratesOf, type TenantRecord } from './rules.ts'
import {
  choice,
  isoTime,
  momentOrNull,
  recordOf,
  recordTimes,
  words,
  wordsOrNull,
} from '../../http/route/fields.ts'

const rateOrNull = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description, examples: [null] })

export const TENANT_STATUSES = ['active', 'suspended', 'deletion_ordered', 'deleting', 'deleted'] as const

export const tenantSchema = recordOf('Organisation', {
  id: words('Names the organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
  name: wordsOrNull('What it is called; null once it is deleted.', 'Registry of Example'),
  status: choice(
    TENANT_STATUSES,
    'Whether its keys and people are let in: while it is `active`. Until `deletesAt` it can be restored.',
  ),
  deletesAt: momentOrNull('When its deletion begins, where it was ordered and has not begun.'),
  did: words('Its identifier on the ledger.', 'V4SGRU86Z58d6TV7PBUe6f'),
  registered: Type.Boolean({ description: 'Whether the ledger has the identifier.' }),
  lastError: wordsOrNull('What went wrong when it was registered last.', null),
  endorsement: choice(
    endorsementModes,
    'Whether the endorser of the service signs by itself what the organisation publishes, or waits for an operator.',
    'automatic',
  ),
  ratePerMinute: rateOrNull(
    'Requests in any minute of all its API keys together; null: no rate beside those of its keys.',
  ),
  keyRatePerMinute: rateOrNull(
    'What each new API key may make in any minute where nothing else is said; null: as many as every key may make.',
  ),
  ...recordTimes,
})

export const tenantView = (id: string, tenant: TenantRecord): Static<typeof tenantSchema> => {
  const deletesMs = deletesAtMs(tenant)
  return {
    id,
    name: tenant.name,
    status: tenant.status,
    deletesAt: deletesMs === null ? null : isoTime(deletesMs),
    did: tenant.did,
    registered: tenant.registered,
    lastError: tenant.lastError,
    endorsement: endorsementModeOf(tenant),
    ...ratesOf(tenant),
    createdAt: isoTime(tenant.createdAtMs),
    updatedAt: isoTime(tenant.updatedAtMs),
  }
}
