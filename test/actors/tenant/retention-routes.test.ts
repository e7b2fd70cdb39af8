import { afterAll, describe, expect, it } from 'vitest'
import { furnishedApi } from '../../compose/furnished-api.ts'

const { api, key, admin } = await furnishedApi()
afterAll(() => api.close())

describe('data retention', () => {
  const put = (retentionDays: unknown) =>
    api.send('PUT', '/v1/data-retention', { body: { retentionDays }, as: admin })

  it('is 90 days until it is changed', async () => {
    const before = await api.send('GET', '/v1/data-retention', { as: key })
    expect(before.json).toEqual({ retentionDays: 90, default: 90, changedAt: null })
    for (const days of [0, 3_650]) {
      const set = await put(days)
      expect(set).toMatchObject({ status: 200, json: { retentionDays: days, default: 90 } })
      expect((await api.send('GET', '/v1/data-retention', { as: key })).json).toEqual(set.json)
    }
  })
})
