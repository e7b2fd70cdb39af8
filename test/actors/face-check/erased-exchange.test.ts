import { afterAll, describe, expect, it } from 'vitest'
import { furnishedApi } from '../../compose/furnished-api.ts'
import { jpeg } from '../../biometric/pictures.ts'

const { api, at, key, admin } = await furnishedApi()
afterAll(() => api.close())

describe('an exchange with a face check', () => {
  it('is erased with the image of its check: its key is gone at the answer, whatever still waits', async () => {
    const { connectionId, definitionId: credentialDefinitionId } = at
    const { vault, bodies } = api.service
    const policy = { vendor: 'sandbox', credentialDefinitionIds: [credentialDefinitionId] }
    const set = await api.send('PUT', '/v1/biometric', { as: admin, body: policy })
    expect(set.status, set.text).toBeLessThan(300)
    // The embedded store gathers deletions for a while, and another one may be away.
    bodies.keepOnly = () => new Promise(() => undefined)
    const body = {
      connectionId,
      credentialDefinitionId,
      attributes: { name: 'Ada', expiresAt: '2000000000' },
      biometric: { referenceImage: jpeg().toString('base64') },
    }
    const offered = await api.send('POST', '/v1/credentials/offer', { as: key, body })
    expect(offered.status, offered.text).toBe(202)
    const id = String(offered.json['id'])
    const checkId = `fck_${id.slice('cre_'.length)}`
    expect([
      vault.keys.has(checkId),
      [...bodies.kept.keys()].some((name) => name.startsWith(checkId)),
    ]).toEqual([true, true])

    const cancelled = await api.send('POST', `/v1/credentials/${id}/cancel`, { as: key })
    expect(cancelled.status, cancelled.text).toBe(200)
    const erased = await api.send('POST', `/v1/credentials/${id}/erase`, { as: key })
    expect([erased.status, erased.json['attributes']]).toEqual([200, null])
    expect(vault.keys.has(checkId)).toBe(false)
  })
})
