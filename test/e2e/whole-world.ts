import { expect, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'
import { Holder } from '../../sdk/wallet/holder.ts'
import { startReceiver } from '../../tools/flows/webhook-receiver.ts'
import { DishonestProofFormat } from '../../sdk/wallet/dishonest-proof-format.ts'
import {
  type Json,
  publishPerson,
  type Surroundings,
  untilState,
  WAIT,
  walletOptions,
} from './running-service.ts'
import type { PlaceUnderTest } from './service-under-test.ts'

/** Well formed, and of an issuer nobody here has ever heard of. */
const FOREIGN_DEFINITION = 'Th7MpTaRZVRYnPiabds81Y:3:CL:99:default'

const signedMs = (signature: string): number => Number(/^t=(\d+)/.exec(signature)?.[1]) * 1_000

/** The whole service somewhere, an honest wallet in its own process, a dishonest one, and a webhook receiver. */
export const openWorld = async ({ open }: PlaceUnderTest, surroundings: Surroundings = {}) => {
  const service = await open(surroundings)
  const { tenant, order, send } = service
  // A clock that is set while a webhook is on its way makes it look a day old.
  const arrivedMs = surroundings.runtime === undefined ? Date.now : signedMs
  const receiver = await startReceiver(() => undefined, arrivedMs)
  const { secret } = await order('webhook set', { tenant, url: receiver.url, eventTypes: null })
  receiver.useSecret(String(secret))
  const { definitionId, ledgerId, templateId, templateOf } = await publishPerson(service)
  const foreignTemplateId = await templateOf(FOREIGN_DEFINITION)
  const options = await walletOptions(service)
  const phone = await Holder.start(options, { offers: 'accept', proofs: 'accept' })
  const format = new DishonestProofFormat()
  const dishonest = await createWallet(options, format)
  const cheat = new AutomaticHolder(dishonest, { offers: 'accept', proofs: 'accept' }, () => undefined)

  const invite = async (label: string) => {
    const { json } = await send('POST', '/v1/connections/invitations', { externalId: label })
    return { url: String(json['invitationUrl']), invitationId: String(json['invitationId']) }
  }
  const connectionOf = (invitationId: string): Promise<string> =>
    vi.waitFor(async () => {
      const path = `/v1/connections?invitationId=${invitationId}&state=completed`
      const [found] = ((await send('GET', path)).json['items'] ?? []) as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  const post = async (path: string, body: Json): Promise<string> => {
    const { status, text, json } = await send('POST', path, body)
    expect([status, text]).toEqual([202, expect.stringContaining('"id"')])
    return String(json['id'])
  }
  return {
    service,
    receiver,
    phone,
    format,
    cheat,
    ledgerId,
    foreignTemplateId,
    connectPhone: async (): Promise<string> => {
      const { url, invitationId } = await invite('honest')
      await phone.connect(url)
      return connectionOf(invitationId)
    },
    connectDishonest: async (): Promise<string> => {
      const { url, invitationId } = await invite('dishonest')
      await acceptInvitation(dishonest, url)
      return connectionOf(invitationId)
    },
    offer: (connectionId: string, name: string, expiresInSeconds = 3_600): Promise<string> => {
      const expiresAt = String(Math.floor((surroundings.runtime ?? Date).now() / 1_000) + expiresInSeconds)
      const attributes = { name, age: '36', expiresAt }
      return post('/v1/credentials/offer', { connectionId, credentialDefinitionId: definitionId, attributes })
    },
    request: (connectionId: string, proofTemplateId = templateId): Promise<string> =>
      post('/v1/proofs/request', { connectionId, proofTemplateId }),
    credential: (id: string, state: string) => untilState(service, `/v1/credentials/${id}`, state),
    proof: (id: string, state: string) => untilState(service, `/v1/proofs/${id}`, state),
    phoneSaw: (threadId: string): readonly string[] =>
      phone.history.filter((event) => event.threadId === threadId).map(({ state }) => state),
    failedAttempts: service.failedAttempts,
    /** The states that webhooks told of a record, in their order. */
    toldOf: (id: string): readonly string[] =>
      receiver.events
        .filter(({ data }) => data.id === id)
        .toSorted((left, right) => left.data.sequence - right.data.sequence)
        .map(({ data }) => data.state),
    async close(): Promise<void> {
      await phone[Symbol.asyncDispose]()
      await dishonest.close()
      await service.close()
      receiver.close()
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>
const acceptInvitation = async ({ agent }: Wallet, url: string): Promise<void> => {
  await agent.didcomm.oob.receiveInvitationFromUrl(url, { label: 'Phone' })
}
