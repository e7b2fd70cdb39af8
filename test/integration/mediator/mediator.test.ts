import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyPair, ed25519KeyOf } from '../../../src/didcomm/keys.ts'
import { limits } from '../../../src/domain/limits.ts'
import { startReceiver } from '../../../tools/flows/webhook-receiver.ts'
import { forwardTo, HandMadeWallet, type Json } from '../../actors/mailbox/hand-made-wallet.ts'
import { clockFrom } from '../../e2e/given-clock.ts'
import { freshFolder, type RunningService, runningService } from '../../e2e/running-service.ts'
import { openedInBrowser } from '../../opened-in-browser.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const ENVELOPE = 'application/didcomm-envelope-enc'

/** To the address as it is now: the machine chooses another port at each start. */
const postTo = (service: RunningService, address: string, body: string, type = ENVELOPE) =>
  fetch(`${service.app.url}${new URL(address).pathname}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  })

const createWallet = async (service: RunningService, installation: string = randomUUID()): Promise<Json> => {
  const created = await fetch(`${service.app.url}/v1/wallets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': installation,
    },
    body: JSON.stringify({ externalId: 'guest 1' }),
  })
  return { status: created.status, ...((await created.json()) as Json) }
}

const invite = (service: RunningService, token: unknown) =>
  service.send('GET', '/v1/wallet/mediator-invitation', undefined, String(token))

/** A phone that has connected, with one key; `post` finds the service where it is. */
const phoneOf = async (at: () => RunningService) => {
  const wallet = await createWallet(at())
  const invited = await invite(at(), wallet['walletToken'])
  const phone = new HandMadeWallet(async (address, envelope) => {
    const answer = await postTo(at(), address, envelope)
    return answer.status === 200 ? answer.text() : null
  })
  await phone.connect(String(invited.json['invitationUrl']))
  const grant = await phone.say('coordinate-mediation/1.0/mediate-request')
  const [routing = ''] = (grant?.['routing_keys'] ?? []) as string[]
  const key = createKeyPair()
  await phone.keylistUpdate([key])
  const messageTo = (to = key.publicKeyBase58, text = 'hello') =>
    forwardTo(to, ed25519KeyOf(routing) ?? '', text)
  const forward = (to?: string) => postTo(at(), String(grant?.['endpoint']), messageTo(to).forward)
  return { wallet, invited, phone, grant, messageTo, forward }
}

describe('the mediator over HTTP', () => {
  const folder = freshFolder()
  let service: RunningService
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  const at = () => service

  beforeAll(async () => {
    service = await runningService({}, folder)
    receiver = await startReceiver(() => undefined)
  })
  afterAll(async () => {
    await service?.app.stop()
    receiver?.close()
  })

  it('keeps what comes for a phone that is offline over a restart, and wakes it', async () => {
    const { secret } = await service.order('webhook set', { tenant: service.tenant, url: receiver.url })
    receiver.useSecret(String(secret))
    const { wallet, invited, phone, grant, messageTo, forward } = await phoneOf(at)
    expect([invited.status, Object.keys(invited.json)]).toEqual([
      200,
      ['invitationId', 'invitationUrl', 'expiresAt'],
    ])
    expect(invited.headers.get('cache-control')).toBe('no-store')
    expect(grant?.['endpoint']).toBe(`${service.app.url}/didcomm`)

    const { envelope, forward: forwarded } = messageTo()
    expect((await postTo(service, String(grant?.['endpoint']), forwarded)).status).toBe(202)
    await expect.poll(() => receiver.syncRequests).not.toEqual([])
    expect(receiver.syncRequests[0]?.data).toMatchObject({
      walletId: wallet['id'],
      externalId: 'guest 1',
      sequence: 1,
    })

    await service.app.stop()
    service = await runningService({}, folder)
    const waiting = await phone.waiting()
    expect(waiting.map((each) => each.envelope)).toEqual([envelope])
    const taken = { message_id_list: waiting.map(({ id }) => id) }
    expect(await phone.say('messagepickup/2.0/messages-received', taken)).toMatchObject({ message_count: 0 })

    const unknown = await forward(createKeyPair().publicKeyBase58)
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: 'not_found', reason: 'No wallet waits for messages to this key.' },
    ])
    expect((await postTo(service, 'http://x/didcomm', envelope)).status).toBe(400)
    expect((await postTo(service, 'http://x/didcomm', forwarded, 'text/plain')).status).toBe(415)
    const large = `${forwarded.slice(0, -1)},"x":"${'x'.repeat(limits.strangerEnvelopeBytesMax)}"}`
    expect((await postTo(service, 'http://x/didcomm', large)).status).toBe(413)
  })

  it('shows a person who opens its invitation in a browser that there is nothing to see', async () => {
    const { json } = await invite(service, (await createWallet(service))['walletToken'])
    const address = String(json['invitationUrl'])
    const { status, headers, body } = await openedInBrowser(address)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain('There is no invitation here')
    const asked = await fetch(address)
    expect([asked.status, ((await asked.json()) as Json)['error']]).toEqual([404, 'not_found'])
  })

  it('answers 507 when the share of a key is full, and takes it again when something was taken', async () => {
    const { phone, forward } = await phoneOf(at)
    let sent = 0
    while (sent < limits.mailboxMessagesMax / 2) {
      const answers = await Promise.all(Array.from({ length: 25 }, () => forward()))
      sent += answers.filter(({ status }) => status === 202).length
    }
    const full = await forward()
    expect([full.status, ((await full.json()) as Json)['error']]).toEqual([507, 'mailbox_full'])
    const [first] = await phone.waiting(1)
    await phone.say('messagepickup/2.0/messages-received', { message_id_list: [first?.id] })
    await expect.poll(async () => (await forward()).status, { interval: 200 }).toBe(202)
  })

  it('invites a wallet three times in ten minutes', async () => {
    const { walletToken } = await createWallet(service)
    const answers = []
    for (let asked = 0; asked < 4; asked++) answers.push(await invite(service, walletToken))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const waitS = Number(answers[3]?.headers.get('retry-after'))
    expect(waitS).toBeGreaterThan(590)
    expect(waitS).toBeLessThanOrEqual(600)
  })
})

describe('the mediator on a clock that is set', () => {
  const clock = clockFrom(Date.now())
  let service: RunningService
  const at = () => service

  beforeAll(async () => {
    service = await runningService({}, freshFolder(), { runtime: clock.runtime })
  })
  afterAll(() => service?.app.stop())

  const walletNow = async (wallet: Json) =>
    (await service.send('GET', `/v1/wallets/${String(wallet['id'])}`)).json

  it('revokes what never connected after seven days, and not what connected a minute before', async () => {
    const installation = randomUUID()
    const never = await createWallet(service, installation)
    const late = await createWallet(service)
    const startMs = clock.runtime.now()
    clock.hold(startMs + 7 * DAY_MS - MINUTE_MS)
    const { json } = await invite(service, late['walletToken'])
    const phone = new HandMadeWallet(async (address, envelope) => {
      const answer = await postTo(service, address, envelope)
      return answer.status === 200 ? answer.text() : null
    })
    await phone.connect(String(json['invitationUrl']))
    expect(await walletNow(never)).toMatchObject({ status: 'pending' })
    clock.hold(startMs + 7 * DAY_MS + MINUTE_MS)
    await expect
      .poll(() => walletNow(never), { timeout: 10_000 })
      .toMatchObject({ status: 'revoked', revokedBy: 'never_connected' })
    expect(await walletNow(late)).toMatchObject({ status: 'active' })
    const again = await createWallet(service, installation)
    expect([again['status'], again['error']]).toEqual([409, 'wallet_revoked'])
    expect(again['reason']).toContain('did not connect within 7 days')
  })

  it('removes the mailbox of a wallet 30 days after its revocation', async () => {
    const { wallet, phone, forward } = await phoneOf(at)
    await service.send('DELETE', `/v1/wallets/${String(wallet['id'])}`)
    const revokedMs = clock.runtime.now()
    clock.hold(revokedMs + 30 * DAY_MS - MINUTE_MS)
    expect((await forward()).status).toBe(202)
    expect(await phone.waiting()).toHaveLength(1)
    clock.hold(revokedMs + 30 * DAY_MS + MINUTE_MS)
    await expect.poll(async () => (await forward()).status, { timeout: 10_000, interval: 700 }).toBe(404)
    expect(await phone.say('messagepickup/2.0/status-request')).toBeNull()
  })
})
