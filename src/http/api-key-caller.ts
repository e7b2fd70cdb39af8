import type { Authenticate } from './caller.ts'
import { problem } from './problem.ts'

export type ApiKeyOwner = (
  key: string,
) => Promise<{ readonly keyId: string; readonly tenantId: string } | null>

const BEARER = /^Bearer +(\S+) *$/i

/** `Authorization: Bearer svc_sk_…`. What is wrong with a credential is never said more precisely than here. */
export const authenticateApiKeys =
  (ownerOf: ApiKeyOwner): Authenticate =>
  async ({ headers }, served) => {
    const key = BEARER.exec(headers.get('authorization') ?? '')?.[1]
    const owner = key === undefined ? null : await ownerOf(key)
    if (owner === null)
      return problem('unauthorized', 'A valid API key must be sent as Authorization: Bearer svc_sk_…', {
        'WWW-Authenticate': 'Bearer',
      })
    if (!served.includes('api_key')) return problem('forbidden', 'An API key may not do this.')
    return { kind: 'api_key', ...owner }
  }
