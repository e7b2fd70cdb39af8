import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import type { HolderEvent } from '../../sdk/wallet/holder-messages.ts'
import { MediatedHolder } from '../../sdk/wallet/mediated-holder.ts'
import type { Pickup } from '../../sdk/wallet/pickup.ts'
import { type Json, WAIT, walletOptions } from './running-service.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

/** In the wild ten seconds. */
const POLL_MS = 300

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

export const mediatorInvitation = async (service: Service, walletToken: unknown): Promise<string> => {
  const path = '/v1/wallet/mediator-invitation'
  const { status, json } = await service.send('GET', path, undefined, String(walletToken))
  expect([status, json['error']]).toEqual([200, undefined])
  return String(json['invitationUrl'])
}

/** A phone as the SDK would run it: its wallet is made by the backend, and all its messages wait at our mediator. */
export const mediatedPhone = async (
  service: Service,
  pickup: Pickup,
  installation: string = randomUUID(),
) => {
  const made = await walletFor(service, installation)
  const invitationUrl = await mediatorInvitation(service, made['walletToken'])
  const { label, databaseFile, ...network } = await walletOptions(service)
  const seen: HolderEvent[] = []
  const note = (event: HolderEvent): void => void seen.push(event)
  const phone = await MediatedHolder.open({
    ...network,
    label,
    databaseFile,
    pickup,
    pollMs: POLL_MS,
    turnedOn: (agent) => void new AutomaticHolder({ agent }, { offers: 'accept', proofs: 'accept' }, note),
  })
  onTestFinished(() => phone[Symbol.asyncDispose]())
  await phone.register(invitationUrl)
  return {
    walletId: String(made['id']),
    walletToken: String(made['walletToken']),
    phone,
    /** What its wallet did in a thread. */
    saw: (threadId: string) => seen.filter((each) => each.threadId === threadId).map(({ state }) => state),
    connect: async (): Promise<string> => {
      const { json } = await service.send('POST', '/v1/connections/invitations', {})
      await phone.connect(String(json['invitationUrl']))
      const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
      return vi.waitFor(async () => {
        const [found] = (await service.send('GET', path)).json['items'] as Json[]
        expect(found).toBeDefined()
        return String(found?.['id'])
      }, WAIT)
    },
    /** It is turned off: it can be written to, and takes nothing. */
    sleep: () => phone.turnOff(),
    wake: () => phone.turnOn(),
    names: async (): Promise<readonly unknown[]> => {
      const held = await phone.agent.modules.anoncreds.getCredentials({})
      return held.map(({ attributes }) => attributes['name'])
    },
  }
}
