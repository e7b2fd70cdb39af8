import { describe, expect, it } from 'vitest'
import { codes } from '../../../../src/domain/codes.ts'
import { limitTable } from '../../../../src/domain/limits.ts'
import { apiRoutes } from '../../../../tools/described-api.ts'
import { guideFacts } from '../../../../tools/generate/guides/facts.ts'

const fact = (name: string): string => guideFacts[name]?.() ?? ''

describe('the guides say', () => {
  it('every code once, with its status and a place to link to', () => {
    for (const code of Object.keys(codes))
      expect(fact('errors').split(`<a id="${code}"></a>`).length, code).toBe(2)
    expect(fact('errors')).toContain('| 429 | <a id="rate_limited"></a>`rate_limited` |')
  })

  it('every limit that a route keeps: that of mediator invitations comes with its route', () => {
    const isKept = apiRoutes().some(({ path }) => path === '/v1/wallet/mediator-invitation')
    for (const [name, { doc }] of Object.entries(limitTable)) {
      const isTold = fact('all limits').includes(`| ${doc} |`)
      expect(isTold, name).toBe(isKept || !name.startsWith('mediatorInvitations'))
    }
    expect(fact('rates').includes('mediator invitations')).toBe(isKept)
    expect(fact('offer limits')).toContain('| Attributes in one offer. | 125 | attributes |')
  })

  it('which routes are for the console alone, and which take a key', () => {
    expect(fact('console only')).toContain('[`PUT /v1/webhook`](/docs/api/webhooks#setWebhook)')
    expect(fact('console only')).toContain('`POST /v1/schemas`')
    expect(fact('console only')).not.toContain('/v1/credentials/offer')
    expect(fact('keyed routes')).toContain('[`POST /v1/wallets`](/docs/api/wallets#createWallet)')
    expect(fact('keyed routes')).not.toContain('GET ')
  })

  it('what counts as a number, as it is encoded', () => {
    expect(fact('numbers')).toContain('| `05` | the number 5 |')
    expect(fact('numbers')).toContain('| `2147483648` | a text |')
    expect(fact('numbers')).toContain('| `5.0` | a text |')
  })

  it('every event, with an example', () => {
    expect(fact('events').match(/^### \w+\.\w+$/gm)?.length).toBe(6)
    expect(fact('events')).toContain('"sequence":')
  })
})
