import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import { createSdk, folderStorage, type Sdk } from '../../sdk/node/development.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { walletFor } from './mediated-phone.ts'
import { type Json, WAIT } from './running-service.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

type Service = Pick<ServiceUnderTest, 'url' | 'apiKey' | 'send'>

/** An app with the SDK on a phone of its own, which can be closed and opened again. */
export const sdkPhone = async (service: Service, folder: string = temporaryFolder('vouchsafe-sdk')) => {
  const installation = randomUUID()
  const sdk = createSdk()
  // One address for its whole life, also where each request of a test goes to another node.
  const baseUrl = service.url()
  const initialize = (): Promise<void> =>
    sdk.initialize({
      baseUrl,
      tokenProvider: async () => String((await walletFor(service, installation))['walletToken']),
      storage: folderStorage(folder),
      label: 'Phone',
    })
  onTestFinished(() => sdk.close())
  await initialize()
  return {
    sdk,
    folder,
    initialize,
    /** Takes an invitation; the id that the organisation gives the connection. */
    connect: async (): Promise<string> => {
      const { json } = await service.send('POST', '/v1/connections/invitations', {})
      await sdk.receiveInvitation(String(json['invitationUrl']))
      return connectionOf(service, String(json['invitationId']), sdk)
    },
  }
}

/** The id that the organisation gives the connection to whoever took the invitation, once it is completed. */
export const connectionOf = (
  { send }: Pick<Service, 'send'>,
  invitationId: string,
  sdk: Sdk,
): Promise<string> =>
  vi.waitFor(async () => {
    await sdk.sync()
    const path = `/v1/connections?invitationId=${invitationId}&state=completed`
    const [found] = (await send('GET', path)).json['items'] as Json[]
    expect(found).toBeDefined()
    return String(found?.['id'])
  }, WAIT)

/** The first of a list, once a sync has brought it. Fails at once where it is hopeless. */
export const synced = async <Item>(
  sdk: Sdk,
  list: () => Promise<readonly Item[]>,
  isHopeless: () => boolean = () => false,
): Promise<Item> => {
  const found = await vi.waitFor(async () => {
    if (isHopeless()) return null
    await sdk.sync()
    const [first] = await list()
    if (first === undefined) throw new Error('nothing has come yet')
    return first
  }, WAIT)
  if (found === null) throw new Error('the app is dead')
  return found
}
