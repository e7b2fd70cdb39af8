import { afterAll, describe, expect, it } from 'vitest'
import { furnishedApi } from '../../compose/furnished-api.ts'

const { api, at, key, admin } = await furnishedApi()
afterAll(() => api.close())

const refusedAs = (reason: string) => ({ status: 400, json: { error: 'invalid_request', reason } })

const template = (more: object = {}) => ({
  name: 'Entry',
  groups: [{ name: 'person', credentialDefinitionIds: [at.definitionId], attributes: ['name'] }],
  ...more,
})
const create = (more: object = {}, headers = {}) =>
  api.send('POST', '/v1/proof-templates', { body: template(more), as: admin, headers })

describe('proof templates', () => {
  it('are created, shown, listed, edited and archived', async () => {
    const made = await create({ name: 'Gate 7' })
    expect(made).toMatchObject({
      status: 201,
      json: { name: 'Gate 7', description: null, predicates: [], status: 'active', biometricRequired: false },
    })
    const path = `/v1/proof-templates/${String(made.json['id'])}`
    expect(await api.send('GET', path, { as: key })).toMatchObject({ status: 200, json: made.json })
    const list = await api.send('GET', '/v1/proof-templates?q=gATE%207', { as: key })
    expect(list.json).toMatchObject({ total: 1, items: [made.json] })
    const predicates = [
      { group: 'person', attribute: 'expiresAt', operator: '>', value: { secondsFromNow: 0 } },
    ]
    const edited = await api.send('PATCH', path, { body: { description: 'Front', predicates }, as: admin })
    expect(edited).toMatchObject({ status: 200, json: { name: 'Gate 7', description: 'Front', predicates } })
    for (let each = 0; each < 2; each++)
      expect(await api.send('POST', `${path}/archive`, { as: admin })).toMatchObject({
        status: 200,
        json: { status: 'archived' },
      })
    expect(await api.send('PATCH', path, { body: {}, as: admin })).toMatchObject(
      refusedAs('The template is archived; create another one.'),
    )
  })

  it('are created once for a key, and answered as they were', async () => {
    const headers = { 'idempotency-key': 'template 1' }
    const first = await create({}, headers)
    const path = `/v1/proof-templates/${String(first.json['id'])}`
    await api.send('PATCH', path, { body: { name: 'Later' }, as: admin })
    const again = await create({}, headers)
    expect([again.json, again.headers['Idempotent-Replayed']]).toEqual([first.json, 'true'])
    expect(await create({ name: 'Other' }, headers)).toMatchObject({ status: 422 })
  })
})
