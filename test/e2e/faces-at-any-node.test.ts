import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'
import { scenes } from '../../tools/vendors/people/camera.ts'
import { portrait } from '../../tools/vendors/people/portrait.ts'
import { checkingWallet } from './face-checks/checking-wallet.ts'
import { startVendors } from './face-checks/vendors.ts'
import { type Json, publishPerson, untilState, WAIT, walletOptions } from './running-service.ts'
import { serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts'

/** So many requests behind each other come to every node of a cluster, and one of these has the check. */
const NODES = 3

/** Large enough to be kept in several pieces. */
const image = portrait({ faces: [{ person: 'holder' }], bytes: 1_000_000 }).toString('base64')

describe('a face check on any node', () => {
  let vendors: Awaited<ReturnType<typeof startVendors>>
  let service: ServiceUnderTest
  let wallet: Wallet
  let phone: ReturnType<typeof checkingWallet>
  let definitionId = ''
  let templateId = ''
  let connectionId = ''

  beforeAll(async () => {
    vendors = await startVendors()
    service = await serviceUnderTest()
    const { tenant, order, send } = service
    const person = await publishPerson(service)
    definitionId = person.definitionId
    await order('biometric set', {
      tenant,
      ...vendors.policies.azure_face,
      credentialDefinitionIds: [definitionId],
    })
    const groups = [{ name: 'person', credentialDefinitionIds: [person.ledgerId], attributes: ['name'] }]
    const template = { tenant, name: 'Checked', description: null, groups, predicates: [] }
    templateId = String((await order('template create', { ...template, biometricRequired: true }))['id'])
    wallet = await createWallet(await walletOptions(service))
    expect(new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, () => undefined)).toBeDefined()
    phone = checkingWallet(wallet, vendors.capture)
    const { json } = await send('POST', '/v1/connections/invitations', {})
    await wallet.agent.didcomm.oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label: 'Phone' })
    const path = `/v1/connections?state=completed&invitationId=${String(json['invitationId'])}`
    connectionId = await vi.waitFor(async () => {
      const [found] = ((await send('GET', path)).json['items'] ?? []) as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  }, 240_000)
  afterAll(async () => {
    await wallet?.close()
    await service?.close()
    await vendors?.stop()
  })

  const eachAsked = async (path: string, body: Json): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let request = 0; request < NODES; request += 1) {
      const asked = { connectionId, biometric: { referenceImage: image }, ...body }
      const { status, json } = await service.send('POST', path, asked)
      expect([status, json]).toEqual([202, expect.objectContaining({ id: expect.any(String) as string })])
      ids.push(String(json['id']))
    }
    return ids
  }

  it('is passed, and its credential issued, whichever node had the request', async () => {
    const expiresAt = String(Math.floor(Date.now() / 1_000) + 3_600)
    const attributes = { name: 'Ada', age: '36', expiresAt }
    const ids = await eachAsked('/v1/credentials/offer', { credentialDefinitionId: definitionId, attributes })
    for (const id of ids) {
      const checkId = await phone.checkOf(id)
      await untilState(service, `/v1/credentials/${id}`, 'request-received')
      await phone.attempt(checkId, scenes.stranger)
      await phone.hears(checkId, 'again')
      await phone.attempt(checkId)
      const issued = await untilState(service, `/v1/credentials/${id}`, 'done')
      expect(issued).toMatchObject({ biometric: { status: 'passed', attempts: 2 } })
    }
  }, 300_000)

  it('releases its proof likewise', async () => {
    for (const id of await eachAsked('/v1/proofs/request', { proofTemplateId: templateId })) {
      const checkId = await phone.checkOf(id)
      await untilState(service, `/v1/proofs/${id}`, 'presentation-received')
      await phone.attempt(checkId)
      const done = await untilState(service, `/v1/proofs/${id}`, 'done')
      expect(done).toMatchObject({ verified: true, biometric: { status: 'passed', attempts: 1 } })
    }
  }, 300_000)
})
