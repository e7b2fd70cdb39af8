import { setTimeout as pause } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { createWallet } from '../../../sdk/wallet/create-wallet.ts'
import { codeOf, tokenOf } from '../../actors/account/accounts-world.ts'
import { type Answer, LeftOut, type OnlyInside, type Place } from '../../contract/api/place.ts'
import { holdAt, sendTo } from '../../contract/api/send.ts'
import { against } from '../against.ts'
import { type Json, published, WAIT, walletOptions } from '../running-service.ts'
import { embeddedService, serviceUnderTest, type ServiceUnderTest } from '../service-under-test.ts'

/** Longer than the rate's window, and as long as a test waits for time to pass. */
const PASS_MAX_MS = 65_000
const STEP_MS = 30_000
const UNAVAILABLE_MS_MAX = 30_000
const AGAIN_MS = 500
/** A code of the step before may come too late to be one. */
const LATE_MS = 5_000

/** The service under test with a real wallet, as callers reach it. */
export const wirePlace = async (): Promise<Place> => {
  const service = await openService()
  const { tenant, order, apiKey, url, publicUrl } = service
  const records = await recordsOf(service)
  let places = 0
  /** A proxy tells a node from where a request came, so it has to come from there. */
  const from = (): string | undefined => {
    const place = ++places
    return against === 'proxy' ? `127.1.${(place >> 8) & 255}.${place & 255 || 255}` : undefined
  }
  const keyOf = async (of: string): Promise<{ id: string; key: string }> => {
    const made = await order('key create', { tenant: of, label: 'test' })
    return { id: String(made['id']), key: String(made['key']) }
  }
  return {
    furniture: records.furniture,
    key: apiKey,
    origin: new URL(publicUrl).origin,
    send: (method, asked, headers) => untilAnswered(() => sendTo(url(), method, asked, headers, from())),
    hold: (target, bearer) => holdAt(`${url()}${target}`, bearer),
    now: Date.now,
    pass: async (ms) => {
      if (ms > PASS_MAX_MS) throw new LeftOut('a clock that is set')
      await pause(ms)
    },
    nextCode: authenticator(),
    invite: async (organisation, emailAddress, role) => {
      const invited =
        organisation === null
          ? await order('operator invite', { emailAddress })
          : await order('member invite', { tenant: organisation, emailAddress, role })
      return tokenOf(String(invited['link']))
    },
    newTenant: async () => String((await order('tenant create', { name: 'Another' }))['id']),
    keyOf: async (of) => (await keyOf(of)).key,
    keyWithRate: async (perMinute) => {
      const { id, key } = await keyOf(tenant)
      await order('key rate', { keyId: id, perMinute })
      return key
    },
    publish: records.publish,
    unpublishedDefinition: records.unpublishedDefinition,
    keyOfUnready: () => Promise.reject(new LeftOut('a ledger that holds an answer back')),
    waitingConnection: records.waitingConnection,
    inside: (why: OnlyInside) => {
      throw new LeftOut(why)
    },
    close: async () => {
      await records.close()
      await service.close()
    },
  }
}

/** No case that is shown over the wire is about 503, which says that the same request may come again. */
const untilAnswered = async (attempt: () => Promise<Answer>): Promise<Answer> => {
  const endMs = performance.now() + UNAVAILABLE_MS_MAX
  for (;;) {
    const answer = await attempt()
    if (answer.status !== 503 || performance.now() > endMs) return answer
    await pause(AGAIN_MS)
  }
}

/** Callers of the contract come from many places, as a proxy would say of them. */
const openService = (): Promise<ServiceUnderTest> =>
  against === null
    ? embeddedService(async () => ({ VOUCHSAFE_TRUSTED_PROXIES: '127.0.0.1' }))
    : serviceUnderTest()

/** Codes of steps in their order: the one before, this one and the next one are good, and each of them once. */
const authenticator = () => {
  const used = new Map<string, number>()
  return async (seed: string): Promise<string> => {
    const first = Math.floor((Date.now() + LATE_MS) / STEP_MS) - 1
    const next = Math.max((used.get(seed) ?? 0) + 1, first)
    used.set(seed, next)
    while (next > Math.floor(Date.now() / STEP_MS) + 1) await pause(200)
    return codeOf(seed, next * STEP_MS)
  }
}

const recordsOf = async (service: ServiceUnderTest) => {
  const { tenant, order, send } = service
  let made = 0
  const schemaOf = async (attributes: readonly string[]): Promise<string> => {
    const { id } = await order('schema publish', { tenant, name: `s${++made}`, version: '1.0', attributes })
    await published(service, 'schema show', id)
    return String(id)
  }
  const orderDefinition = async (schemaId: string): Promise<string> =>
    String((await order('definition publish', { tenant, schemaId, tag: `tag${made}` }))['id'])
  const publish = async (attributes: readonly string[]): Promise<string> => {
    const id = await orderDefinition(await schemaOf(attributes))
    await published(service, 'definition show', id)
    return id
  }
  const schemaId = await schemaOf(['name', 'expiresAt'])
  const definitionId = await orderDefinition(schemaId)
  await published(service, 'definition show', definitionId)
  // It takes what it is offered for information.
  const wallet = await createWallet(await walletOptions(service))
  /** With a holder who goes on as far as that. */
  const connect = async (state: string, autoAcceptConnection: boolean): Promise<string> => {
    const { json } = await send('POST', '/v1/connections/invitations', {})
    const { oob } = wallet.agent.didcomm
    await oob.receiveInvitationFromUrl(String(json['invitationUrl']), {
      label: 'Phone',
      autoAcceptConnection,
    })
    const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=${state}`
    return vi.waitFor(async () => {
      const [found] = ((await send('GET', path)).json['items'] ?? []) as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  }
  const furniture = { tenant, schemaId, definitionId, connectionId: await connect('completed', true) }
  return {
    furniture,
    publish,
    unpublishedDefinition: async () => orderDefinition(await schemaOf(['name', 'expiresAt'])),
    waitingConnection: () => connect('response-sent', false),
    close: () => wallet.close(),
  }
}
