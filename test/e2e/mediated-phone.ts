import { randomUUID } from 'node:crypto'
import { PeerDidNumAlgo } from '@credo-ts/core'
import { expect, onTestFinished, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Mediation } from '../../sdk/wallet/create-wallet.ts'
import type { HolderEvent } from '../../sdk/wallet/holder-messages.ts'
import { type Json, WAIT, walletOptions } from './running-service.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

type Service = Pick<ServiceUnderTest, 'url' | 'apiKey' | 'send'>

/** The backend of an organisation makes the wallet of an installation, or gives it another token. */
export const walletFor = async ({ url, apiKey }: Service, installation: string): Promise<Json> => {
  const made = await fetch(`${url()}/v1/wallets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': installation,
    },
    body: JSON.stringify({ externalId: 'guest' }),
  })
  return { status: made.status, ...((await made.json()) as Json) }
}

const mediatorInvitation = async (service: Service, walletToken: unknown): Promise<string> => {
  const path = '/v1/wallet/mediator-invitation'
  const { status, json } = await service.send('GET', path, undefined, String(walletToken))
  expect([status, json['error']]).toEqual([200, undefined])
  return String(json['invitationUrl'])
}

const peerForms = {
  'did:peer:1': PeerDidNumAlgo.GenesisDoc,
  'did:peer:2': PeerDidNumAlgo.MultipleInceptionKeyWithoutDoc,
  'did:peer:4': PeerDidNumAlgo.ShortFormAndLongForm,
} as const

/** The same invitation, as a wallet sees it that knows no other protocol of connections. */
const spokenOnlyAs = (protocol: string, url: string): string => {
  const [base = '', text = ''] = url.split('?oob=')
  const invitation = JSON.parse(Buffer.from(text, 'base64url').toString()) as Json
  const only = { ...invitation, handshake_protocols: [`https://didcomm.org/${protocol}`] }
  return `${base}?oob=${Buffer.from(JSON.stringify(only)).toString('base64url')}`
}

/** A phone as the SDK would run it: its wallet is made by the backend, and all its messages wait at our mediator. */
export const mediatedPhone = async (
  service: Service,
  pickup: Mediation['pickup'],
  handshake: 'connections/1.0' | keyof typeof peerForms = 'did:peer:4',
) => {
  const installation = randomUUID()
  const made = await walletFor(service, installation)
  const invited = await mediatorInvitation(service, made['walletToken'])
  const isOlder = handshake === 'connections/1.0'
  const mediation: Mediation = {
    invitationUrl: isOlder ? spokenOnlyAs(handshake, invited) : invited,
    pickup,
    pollMs: 300,
  }
  const options = { ...(await walletOptions(service)), mediation }
  const ways = isOlder ? {} : { peerNumAlgo: peerForms[handshake] }
  const wallet = await createWallet(options, undefined, ways)
  onTestFinished(() => wallet.close())
  const seen: HolderEvent[] = []
  const holder = new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, (event) =>
    seen.push(event),
  )
  const { oob, mediationRecipient } = wallet.agent.didcomm
  return {
    installation,
    walletId: String(made['id']),
    walletToken: String(made['walletToken']),
    wallet,
    holder,
    /** What its wallet did in a thread. */
    saw: (threadId: string) => seen.filter((each) => each.threadId === threadId).map(({ state }) => state),
    connect: async (label = 'phone'): Promise<string> => {
      const { json } = await service.send('POST', '/v1/connections/invitations', {})
      await oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label })
      const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
      return vi.waitFor(async () => {
        const [found] = (await service.send('GET', path)).json['items'] as Json[]
        expect(found).toBeDefined()
        return String(found?.['id'])
      }, WAIT)
    },
    mediation: () => mediationRecipient.findDefaultMediator(),
    /** It is put away: it can be written to, and takes nothing. */
    sleep: () => mediationRecipient.stopMessagePickup(),
    wake: () => mediationRecipient.initiateMessagePickup(),
    names: async (): Promise<readonly unknown[]> => {
      const held = await wallet.agent.modules.anoncreds.getCredentials({})
      return held.map(({ attributes }) => attributes['name'])
    },
  }
}
