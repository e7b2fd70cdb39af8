import { afterAll, describe, expect, it } from 'vitest'
import { createInvitation } from '../../../src/actors/invitation/create.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const {
  service,
  at: { tenant },
} = await furnishedService()
afterAll(() => service.close())

const publicUrl = () => 'https://here.example'
const create = (more: object = {}) =>
  createInvitation(
    { ...service.useCases, publicUrl },
    { tenant, multiUse: true, alias: null, externalId: null, ...more },
  )
/** What the link of a new invitation says to the wallet. */
const made = async (more: object = {}) => {
  const invitation = await create(more)
  if (!('invitationId' in invitation)) throw new Error(invitation.reason)
  const url = new URL(invitation.invitationUrl)
  const text = Buffer.from(url.searchParams.get('oob') ?? '', 'base64url').toString()
  return { ...invitation, url, message: JSON.parse(text) as Readonly<Record<string, unknown>> }
}

describe('an invitation', () => {
  it('speaks in the name of its tenant, and names the address under which it is answered', async () => {
    const { invitationId, multiUse, url, message } = await made()
    expect(multiUse).toBe(true)
    expect(url.href).toMatch(`https://here.example/i/${invitationId}?`)
    expect(message).toMatchObject({
      '@id': invitationId,
      label: 'Registry',
      services: [{ serviceEndpoint: `https://here.example/didcomm/${invitationId}` }],
    })
  })

  it('speaks in the name that it was given, unless that is blank', async () => {
    const labelOf = async (alias: string) => (await made({ alias })).message['label']
    expect(await labelOf('Reception desk')).toBe('Reception desk')
    expect(await labelOf(' ')).toBe('Registry')
    expect(await labelOf('')).toBe('Registry')
  })

  it('is not made for nobody', async () => {
    expect(await create({ tenant: 'ten_00aaaaaaaaaa' })).toMatchObject({ refused: 'forbidden' })
  })
})
