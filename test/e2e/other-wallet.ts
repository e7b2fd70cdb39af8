import {
  createWallet,
  type Wallet,
  type WalletOptions,
  type WalletWays,
} from '../../sdk/wallet/create-wallet.ts'
import { expect, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import type { HolderEvent } from '../../sdk/wallet/holder-messages.ts'
import { type Json, publishPerson, untilState, WAIT, walletOptions } from './running-service.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

/** A real wallet with the ways of another one in the field, and what it did with offers and requests. */
export const otherWallet = async (options: WalletOptions, ways: WalletWays) => {
  const wallet = await createWallet(options, undefined, ways)
  const history: HolderEvent[] = []
  const policies = { offers: 'accept', proofs: 'accept' } as const
  const holder = new AutomaticHolder(wallet, policies, (event) => history.push(event))
  return {
    wallet,
    holder,
    saw: (threadId: string): readonly string[] =>
      history.filter((event) => event.threadId === threadId).map(({ state }) => state),
    held: async (): Promise<readonly string[]> => {
      const credentials = await wallet.agent.modules.anoncreds.getCredentials({})
      return credentials.map(({ attributes }) => String(attributes['name']))
    },
  }
}

export type OtherWallet = Awaited<ReturnType<typeof otherWallet>>

/** In which formats a wallet was offered something, and requested it. */
export const formatsUsedBy = async ({ wallet }: OtherWallet, threadId: string) => {
  const { credentials } = wallet.agent.didcomm
  const [record] = await credentials.findAllByQuery({ threadId })
  const data = await credentials.getFormatData(record?.id ?? '')
  return { offered: Object.keys(data.offer ?? {}), requested: Object.keys(data.request ?? {}) }
}

/** What an organisation does with any wallet. */
export const organisationOf = async (service: Pick<ServiceUnderTest, 'tenant' | 'order' | 'send'>) => {
  const { send } = service
  const person = await publishPerson(service)
  const options = await walletOptions(service)
  const post = async (path: string, body: object, status: number): Promise<Json> => {
    const answer = await send('POST', path, body)
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    return answer.json
  }
  const connectionOf = (invitationId: string, state = 'completed'): Promise<string> =>
    vi.waitFor(async () => {
      const path = `/v1/connections?invitationId=${invitationId}&state=${state}`
      const [found] = ((await send('GET', path)).json['items'] ?? []) as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  const invite = async (more: object = {}) => {
    const { invitationId, invitationUrl } = await post('/v1/connections/invitations', more, 201)
    return { id: String(invitationId), url: String(invitationUrl) }
  }
  const offer = async (connectionId: string, name: string): Promise<string> => {
    const expiresAt = String(Math.floor(Date.now() / 1_000) + 3_600)
    const attributes = { name, age: '36', expiresAt }
    const body = { connectionId, credentialDefinitionId: person.definitionId, attributes }
    return String((await post('/v1/credentials/offer', body, 202))['id'])
  }
  const request = async (connectionId: string): Promise<string> =>
    String(
      (await post('/v1/proofs/request', { connectionId, proofTemplateId: person.templateId }, 202))['id'],
    )
  return {
    options,
    invite,
    connectionOf,
    offer,
    request,
    issue: async (connectionId: string, name: string): Promise<string> => {
      const id = await offer(connectionId, name)
      await untilState(service, `/v1/credentials/${id}`, 'done')
      return id
    },
    verify: async (connectionId: string): Promise<Json> =>
      untilState(service, `/v1/proofs/${await request(connectionId)}`, 'done'),
    connect: async ({ agent }: Wallet, change: (url: string) => string = (url) => url): Promise<string> => {
      const { id, url } = await invite()
      await agent.didcomm.oob.receiveInvitationFromUrl(change(url), { label: 'Phone' })
      return connectionOf(id)
    },
  }
}

export type Organisation = Awaited<ReturnType<typeof organisationOf>>

export const invitationIn = (url: string): Json =>
  JSON.parse(Buffer.from(new URL(url).searchParams.get('oob') ?? '', 'base64url').toString()) as Json

export const changedInvitation = (url: string, more: Json): string => {
  const whole = new URL(url)
  const text = JSON.stringify({ ...invitationIn(url), ...more })
  whole.searchParams.set('oob', Buffer.from(text).toString('base64url'))
  return whole.href
}

/** The invitation as one who offers the older handshake alone would write it. */
export const olderHandshakeAlone = (url: string): string =>
  changedInvitation(url, { handshake_protocols: ['https://didcomm.org/connections/1.0'] })
