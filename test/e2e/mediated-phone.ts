import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import type { HolderEvent } from '../../sdk/wallet/holder-messages.ts'
import { MediatedHolder, type MediatedOptions } from '../../sdk/wallet/mediated-holder.ts'
import { type Json, WAIT, walletOptions } from './running-service.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

/** In the wild ten seconds. */
const POLL_MS = 300

const DAY_S = 86_400

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
  pickup: MediatedOptions['pickup'],
  handshake: 'connections/1.0' | NonNullable<MediatedOptions['didForm']> = 'did:peer:4',
) => {
  const installation = randomUUID()
  const made = await walletFor(service, installation)
  const invited = await mediatorInvitation(service, made['walletToken'])
  const isOlder = handshake === 'connections/1.0'
  const seen: HolderEvent[] = []
  const note = (event: HolderEvent): void => void seen.push(event)
  const { label, databaseFile, ...network } = await walletOptions(service)
  const wallet = await MediatedHolder.open({
    ...network,
    label,
    databaseFile,
    pickup,
    pollMs: POLL_MS,
    ...(!isOlder && { didForm: handshake }),
    turnedOn: (agent) => void new AutomaticHolder({ agent }, { offers: 'accept', proofs: 'accept' }, note),
  })
  onTestFinished(() => wallet[Symbol.asyncDispose]())
  await wallet.register(isOlder ? spokenOnlyAs(handshake, invited) : invited)
  return {
    installation,
    walletId: String(made['id']),
    walletToken: String(made['walletToken']),
    wallet,
    /** What its wallet did in a thread. */
    saw: (threadId: string) => seen.filter((each) => each.threadId === threadId).map(({ state }) => state),
    connect: async (): Promise<string> => {
      const { json } = await service.send('POST', '/v1/connections/invitations', {})
      await wallet.connect(String(json['invitationUrl']))
      const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
      return vi.waitFor(async () => {
        const [found] = (await service.send('GET', path)).json['items'] as Json[]
        expect(found).toBeDefined()
        return String(found?.['id'])
      }, WAIT)
    },
    mediation: () => wallet.agent.didcomm.mediationRecipient.findDefaultMediator(),
    /** It is turned off: it can be written to, and takes nothing. */
    sleep: () => wallet.turnOff(),
    wake: () => wallet.turnOn(),
    names: async (): Promise<readonly unknown[]> => {
      const held = await wallet.agent.modules.anoncreds.getCredentials({})
      return held.map(({ attributes }) => attributes['name'])
    },
  }
}

/** Offers the credential of a person over a connection; one that was made a moment ago may not be known to every node yet. */
export const offerPerson = (
  service: Pick<ServiceUnderTest, 'send'>,
  credentialDefinitionId: string,
  connectionId: string,
  name: string,
): Promise<string> => {
  const expiresAt = String(Math.floor(Date.now() / 1_000) + 30 * DAY_S)
  const body = { connectionId, credentialDefinitionId, attributes: { name, age: '36', expiresAt } }
  return vi.waitFor(async () => {
    const { status, json } = await service.send('POST', '/v1/credentials/offer', body)
    expect(status).toBe(202)
    return String(json['id'])
  }, WAIT)
}
