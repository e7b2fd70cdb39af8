import { afterAll, describe, expect, it } from 'vitest'
import { createInvitation } from '../../../src/actors/invitation/create.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const {
  service,
  at: { tenant },
} = await furnishedService()
afterAll(() => service.close())

const create = (more: object = {}) =>
  createInvitation(
    {
      ...service.useCases,
      newKey: () => ({ seed: 'seed', publicKey: 'public' }),
      invitationUrl: ({ id, label, key }) => `${id} ${label} ${key}`,
    },
    { tenant, multiUse: true, alias: null, externalId: null, ...more },
  )

describe('an invitation', () => {
  it('speaks in the name of its tenant', async () => {
    const made = await create()
    if (!('invitationId' in made)) throw new Error(made.reason)
    const { invitationId } = made
    expect(made).toEqual({ invitationId, invitationUrl: `${invitationId} Registry public`, multiUse: true })
  })

  it('speaks in the name that it was given, unless that is blank', async () => {
    const urlOf = async (alias: string) => {
      const made = await create({ alias })
      return 'invitationUrl' in made ? made.invitationUrl : made.reason
    }
    expect(await urlOf('Reception desk')).toMatch(/ Reception desk public$/)
    expect(await urlOf(' ')).toMatch(/ Registry public$/)
    expect(await urlOf('')).toMatch(/ Registry public$/)
  })

  it('is not made for nobody', async () => {
    expect(await create({ tenant: 'ten_00aaaaaaaaaa' })).toMatchObject({ refused: 'forbidden' })
  })
})
