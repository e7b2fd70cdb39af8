import { describe, expect, it } from 'vitest'
import { routesTable } from '../../../tools/generate/routes.ts'

describe('the table of routes', () => {
  it('has a line for each, with its name, whom it serves and what it refuses', () => {
    const table = routesTable()
    expect(table).toContain(
      '| `GET /v1/connections/{id}` | `getConnection` | API key, console | Shows a connection. | 200 | `not_found` |',
    )
    expect(table).toMatch(/`POST \/v1\/wallets`.*Takes an `Idempotency-Key`.*`wallet_revoked`/)
    expect(table).toMatch(/`PUT \/v1\/data-retention` \| `\w+` \| console \|/)
  })
})
