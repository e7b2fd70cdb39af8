import { type Static, Type } from 'typebox'
import type { TenantRecord } from './rules.ts'
import { choice, isoTime, recordOf, recordTimes, words, wordsOrNull } from '../../http/route/fields.ts'

export const tenantSchema = recordOf('Organisation', {
  id: words('Names the organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
  name: words('What it is called.', 'Registry of Example'),
  status: choice(['active', 'suspended'], 'Whether its keys and people are let in.'),
  did: words('Its identifier on the ledger.', 'V4SGRU86Z58d6TV7PBUe6f'),
  registered: Type.Boolean({ description: 'Whether the ledger has the identifier.' }),
  lastError: wordsOrNull('What went wrong when it was registered last.', null),
  ...recordTimes,
})

export const tenantView = (id: string, tenant: TenantRecord): Static<typeof tenantSchema> => ({
  id,
  name: tenant.name,
  status: tenant.status,
  did: tenant.did,
  registered: tenant.registered,
  lastError: tenant.lastError,
  createdAt: isoTime(tenant.createdAtMs),
  updatedAt: isoTime(tenant.updatedAtMs),
})
