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

  it.each([
    [{ name: '' }, 'name must not be empty.'],
    [{ name: 'x'.repeat(201) }, 'name must have at most 200 characters.'],
    [{ description: 'x'.repeat(1_001) }, 'description must have at most 1000 characters.'],
    [{ name: ' ' }, 'name has characters or a form that is not allowed; "Over 18" would fit.'],
    [{ groups: [] }, 'groups must have at least one entry.'],
    [{ unknown: 1 }, 'unknown is not a known property.'],
    [{ predicates: Array.from({ length: 33 }, () => ({})) }, 'predicates must have at most 32 entries.'],
  ])('are refused: %j', async (more, reason) => {
    expect(await create(more)).toMatchObject(refusedAs(reason))
  })

  it('may be as large as they may be', async () => {
    const predicate = { group: 'person', attribute: 'expiresAt', operator: '>', value: 1 }
    const predicates = Array.from({ length: 32 }, () => predicate)
    expect(await create({ name: 'x'.repeat(200), description: 'x'.repeat(1_000), predicates })).toMatchObject(
      {
        status: 201,
      },
    )
  })

  it('need definitions that are published', async () => {
    const groups = [{ name: 'g', credentialDefinitionIds: ['def_00aaaaaaaaaa'], attributes: [] }]
    expect(await create({ groups })).toMatchObject({
      status: 404,
      json: { error: 'credential_definition_not_found' },
    })
  })
})
