import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Forwarding, openCredoMediator } from '../../../sdk/mediator/credo-mediator.ts'
import { AutomaticHolder } from '../../../sdk/wallet/automatic-holder.ts'
import { MediatedHolder } from '../../../sdk/wallet/mediated-holder.ts'
import type { Pickup } from '../../../sdk/wallet/pickup.ts'
import {
  type Json,
  publishPerson,
  type RunningService,
  runningService,
  untilState,
  WAIT,
  walletOptions,
} from '../../e2e/running-service.ts'

const LIMIT_MS = 240_000
/** In the wild ten seconds. */
const POLL_MS = 300

let service: RunningService
let definitionId = ''

beforeAll(async () => {
  service = await runningService()
  definitionId = (await publishPerson(service)).definitionId
}, LIMIT_MS)
afterAll(() => service?.app.stop())

/** A phone, and what its person is shown to have. */
const openPhone = async (pickup: Pickup) => {
  const { label, databaseFile, ...network } = await walletOptions(service)
  const phone = await MediatedHolder.open({
    ...network,
    label,
    databaseFile,
    pickup,
    pollMs: POLL_MS,
    turnedOn: (agent) =>
      void new AutomaticHolder({ agent }, { offers: 'accept', proofs: 'accept' }, () => undefined),
  })
  onTestFinished(() => phone[Symbol.asyncDispose]())
  const names = async (): Promise<string> => {
    const held = await phone.agent.modules.anoncreds.getCredentials({})
    return held
      .map(({ attributes }) => String(attributes['name']))
      .toSorted((left, right) => left.localeCompare(right))
      .join()
  }
  return { phone, names }
}

const connect = async (phone: MediatedHolder): Promise<string> => {
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  await phone.connect(String(json['invitationUrl']))
  const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
  return vi.waitFor(async () => {
    const [found] = (await service.send('GET', path)).json['items'] as Json[]
    expect(found).toBeDefined()
    return String(found?.['id'])
  }, WAIT)
}

const offer = async (connectionId: string, name: string): Promise<string> => {
  const attributes = { name, age: '36', expiresAt: String(Math.floor(Date.now() / 1_000) + 3_600) }
  const body = { connectionId, credentialDefinitionId: definitionId, attributes }
  const { status, json } = await service.send('POST', '/v1/credentials/offer', body)
  expect(status).toBe(202)
  return `/v1/credentials/${String(json['id'])}`
}

const ways: readonly (readonly [Pickup, Forwarding])[] = [
  ['polling', 'queue'],
  ['live', 'queue'],
  ['implicit', 'direct'],
]

describe.each(ways)(
  'a wallet behind a mediator of Credo, which comes to its messages by %s',
  (pickup, how) => {
    it(
      'connects, is issued to while it is on, after it was off and after its sockets were gone, and can be lost',
      async () => {
        const mediator = await openCredoMediator(how)
        onTestFinished(() => mediator[Symbol.asyncDispose]())
        const { phone, names } = await openPhone(pickup)
        await phone.register(await mediator.invite())
        const connectionId = await connect(phone)
        await untilState(service, await offer(connectionId, 'Ada'), 'done')
        expect(await names()).toBe('Ada')
        expect(phone.openSockets > 0).toBe(pickup !== 'polling')

        await phone.turnOff()
        await expect.poll(() => mediator.openSockets()).toBe(0)
        const waiting = await offer(connectionId, 'Grace')
        await vi.waitFor(() => expect(mediator.waiting()).toBe(1), WAIT)
        await phone.turnOn()
        await untilState(service, waiting, 'done')
        expect(await names()).toBe('Ada,Grace')

        phone.dropSockets()
        await untilState(service, await offer(connectionId, 'Mary'), 'done')
        expect(await names()).toBe('Ada,Grace,Mary')

        await phone.lose()
        expect(await names()).toBe('')
        await phone.register(await mediator.invite())
        await untilState(service, await offer(await connect(phone), 'Ada'), 'done')
        expect(await names()).toBe('Ada')
      },
      LIMIT_MS,
    )
  },
)
