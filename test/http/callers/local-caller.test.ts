import { describe, expect, it } from 'vitest'
import type { CallerKind } from '../../../src/http/callers/caller.ts'
import { authenticateLocally } from '../../../src/http/callers/local-caller.ts'
import { requestHead } from '../parts/request-head.ts'

const key = { kind: 'api_key', tenantId: 't', keyId: 'k' } as const
const authenticate = authenticateLocally(
  () => key,
  async (id) => id === 'ten_1',
)
const identify = (served: readonly CallerKind[], organisation?: string, isLocal = true) =>
  authenticate(
    requestHead(organisation === undefined ? {} : { 'x-vouchsafe-organisation': organisation }, {
      ...(isLocal && { isLocal }),
    }),
    served,
  )

describe('a request with the local credential', () => {
  it('comes from an operator where operators are served, whatever organisation it names', async () => {
    const operator = { kind: 'operator', operatorId: 'local', isLocal: true }
    expect(await identify(['operator'])).toEqual(operator)
    expect(await identify(['member', 'operator'], 'ten_1')).toEqual(operator)
  })

  it('comes from an administrator of the organisation that it names where members are served', async () => {
    const member = { kind: 'member', tenantId: 'ten_1', memberId: 'local', role: 'admin', isLocal: true }
    expect(await identify(['api_key', 'member'], 'ten_1')).toEqual(member)
    for (const organisation of ['ten_2', undefined])
      expect(await identify(['member'], organisation)).toMatchObject({ problem: 'forbidden' })
    expect(await identify(['api_key'], 'ten_1')).toMatchObject({ problem: 'forbidden' })
  })

  it('is told from all others, whose header names nothing', async () => {
    expect(await identify(['member'], 'ten_1', false)).toEqual(key)
  })
})
