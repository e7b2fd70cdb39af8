import { type Static, Type } from 'typebox'
import {
  choice,
  isoTime,
  moment,
  momentOrNull,
  recordOf,
  words,
  wordsOrNull,
} from '../../http/route/fields.ts'
import type { ApiKeyRecord } from './rules.ts'

const apiKeyFields = {
  id: words('Names the key.', 'key_8p0r2t4v6x8z0b2d4f6h8k0m'),
  tenantId: words('The organisation it belongs to.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
  label: words('What it is for.', 'Backend'),
  prefix: words('How every key begins.', 'svc_sk_'),
  lastFour: words('Its last four letters, to tell keys apart.', 'x7Qa'),
  status: choice(['active', 'revoked'], 'Whether it is let in.'),
  ratePerMinute: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Requests in any minute; null: as many as every key may make.',
  }),
  createdAt: moment('When it was made.'),
  revokedAt: momentOrNull('When it was revoked.'),
}

export const apiKeySchema = recordOf('ApiKey', apiKeyFields)
export const apiKeyWithSecretSchema = recordOf('ApiKeyWithSecret', {
  ...apiKeyFields,
  key: wordsOrNull('The key itself; shown in this answer alone, and null when it comes again.', 'svc_sk_…'),
})

export const apiKeyView = (id: string, apiKey: ApiKeyRecord): Static<typeof apiKeySchema> => ({
  id,
  tenantId: apiKey.tenant,
  label: apiKey.label,
  prefix: 'svc_sk_',
  lastFour: apiKey.lastFour,
  status: apiKey.status,
  ratePerMinute: apiKey.ratePerMinute,
  createdAt: isoTime(apiKey.createdAtMs),
  revokedAt: apiKey.revokedAtMs === null ? null : isoTime(apiKey.revokedAtMs),
})
