import { expect, vi } from 'vitest'
import { createWallet } from '../../sdk/wallet/create-wallet.ts'
import { type Json, publishPerson, WAIT, walletOptions } from './running-service.ts'
import { serviceUnderTest } from './service-under-test.ts'

/** An organisation, and a holder who looks at offers and does nothing: records come and go as the test says. */
export const openOffers = async () => {
  const service = await serviceUnderTest()
  const { send } = service
  const { definitionId } = await publishPerson(service)
  const wallet = await createWallet(await walletOptions(service))
  const connect = async (externalId: string): Promise<string> => {
    const { json } = await send('POST', '/v1/connections/invitations', { externalId })
    const { oob } = wallet.agent.didcomm
    await oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label: 'Phone' })
    const path = `/v1/connections?state=completed&invitationId=${String(json['invitationId'])}`
    return vi.waitFor(async () => {
      const [found] = ((await send('GET', path)).json['items'] ?? []) as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  }
  const connectionId = await connect('guest 1')
  return {
    ...service,
    connect,
    connectionId,
    offer: async (externalId: string): Promise<string> => {
      const attributes = { name: 'Ada', age: '36', expiresAt: '1999999999' }
      const body = { connectionId, credentialDefinitionId: definitionId, attributes, externalId }
      const { status, text, json } = await send('POST', '/v1/credentials/offer', body)
      expect([status, text]).toEqual([202, expect.stringContaining('"id"')])
      return String(json['id'])
    },
    cancel: async (id: string): Promise<void> => {
      const { status, text } = await send('POST', `/v1/credentials/${id}/cancel`)
      expect([status, text]).toEqual([200, expect.stringContaining('abandoned')])
    },
    close: async (): Promise<void> => {
      await wallet.close()
      await service.close()
    },
  }
}

export type Offers = Awaited<ReturnType<typeof openOffers>>
