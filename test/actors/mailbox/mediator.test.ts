import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mailboxOf } from '../../../src/actors/mailbox/state.ts'
import { createKeyPair, didKeyOf, ed25519KeyOf } from '../../../src/didcomm/keys.ts'
import { limits } from '../../../src/domain/limits.ts'
import { deliveredIn, forwardTo, handshakes, type Json, updatedIn } from './hand-made-wallet.ts'
import { mediatorWorld } from './mediator-world.ts'

const DAY_MS = 86_400_000

let world: Awaited<ReturnType<typeof mediatorWorld>>
beforeAll(async () => {
  world = await mediatorWorld()
})
afterAll(() => world.close())

const typeOf = (message: Json | null): string =>
  String(message?.['@type']).replace('https://didcomm.org/', '')
const lastReceived = () => world.received.at(-1)

/** A phone with one key, and what writes to it. */
const reachable = async () => {
  const connected = await world.connected()
  const key = createKeyPair()
  await connected.phone.keylistUpdate([key])
  const send = (text: string) => {
    const { envelope, forward } = forwardTo(key.publicKeyBase58, world.routingKey, text)
    return world.forward(forward).then((received) => ({ envelope, received }))
  }
  return { ...connected, key, send }
}

describe('a phone that was invited', () => {
  it.each(handshakes)('connects with its mailbox by %s, and its wallet is active', async (handshake) => {
    const walletId = await world.newWallet()
    const phone = world.phone()
    await phone.connect(await world.invite(walletId), handshake)
    expect(lastReceived()).toBe('accepted')
    expect(phone.mailbox.address).toMatch(/^https:\/\/mediator\.example\/didcomm\/mbx_/)
    expect(await world.walletRecord(walletId)).toMatchObject({ status: 'active' })
    expect(typeOf(await phone.say('coordinate-mediation/1.0/mediate-request'))).toBe(
      'coordinate-mediation/1.0/mediate-grant',
    )
  })

  it('is not connected by a request alone', async () => {
    const walletId = await world.newWallet()
    await world.phone().request(await world.invite(walletId))
    expect((await world.walletRecord(walletId)).status).toBe('pending')
  })

  it('that sends its request again gets the same answer', async () => {
    const url = await world.invite(await world.newWallet())
    const phone = world.phone()
    const [first, second] = [await phone.request(url), await phone.request(url)]
    expect([first?.['did'], typeOf(first)]).toEqual([second?.['did'], 'didexchange/1.1/response'])
  })

  it('uses its invitation once, and only the newest', async () => {
    const walletId = await world.newWallet()
    const [older, newer] = [await world.invite(walletId), await world.invite(walletId)]
    expect(await world.phone().request(older)).toBeNull()
    expect(lastReceived()).toBe('refused')
    await world.phone().connect(newer)
    const second = await world.phone().request(newer)
    expect([typeOf(second), second?.['problem-code']]).toEqual([
      'didexchange/1.1/problem_report',
      'request_not_accepted',
    ])
  })

  it('comes too late after an hour', async () => {
    const url = await world.invite(await world.newWallet())
    world.runtime.forward(limits.mediatorInvitationMinutes * 60_000 + 1_000)
    expect(typeOf(await world.phone().request(url))).toBe('didexchange/1.1/problem_report')
  })

  it('is not connected after its wallet was revoked', async () => {
    const walletId = await world.newWallet()
    const url = await world.invite(walletId)
    await world.revoke(walletId)
    expect(await world.phone().request(url)).toBeNull()
    expect(lastReceived()).toBe('refused')
  })

  it('of a wallet with a phone takes its place', async () => {
    const { walletId, phone } = await world.connected()
    const next = world.phone()
    await next.connect(await world.invite(walletId))
    expect(await phone.say('messagepickup/2.0/status-request')).toBeNull()
    expect(typeOf(await next.say('messagepickup/2.0/status-request'))).toBe('messagepickup/2.0/status')
  })
})

describe('mediation', () => {
  it('gives every wallet the same address and the same key', async () => {
    const grants = await Promise.all(
      [await world.connected(), await world.connected()].map(({ phone }) =>
        phone.say('coordinate-mediation/1.0/mediate-request'),
      ),
    )
    for (const grant of grants)
      expect(grant).toMatchObject({
        endpoint: 'https://mediator.example/didcomm',
        routing_keys: [didKeyOf(world.routingKey)],
      })
  })

  it('registers keys in whatever form they come, and lists them', async () => {
    const { phone } = await world.connected()
    const [one, two] = [createKeyPair().publicKeyBase58, createKeyPair().publicKeyBase58]
    const answer = await phone.say('coordinate-mediation/1.0/keylist-update', {
      updates: [
        { recipient_key: one, action: 'add' },
        { recipient_key: didKeyOf(two), action: 'add' },
        { recipient_key: 'nonsense', action: 'add' },
        { recipient_key: one, action: 'burn' },
        { recipient_key: createKeyPair().publicKeyBase58, action: 'remove' },
      ],
    })
    const updated = updatedIn(answer)
    expect(updated.map(({ result }) => result)).toEqual([
      'success',
      'success',
      'client_error',
      'client_error',
      'no_change',
    ])
    expect(updated[1]?.['recipient_key']).toBe(didKeyOf(two))
    const list = await phone.say('coordinate-mediation/1.0/keylist-query', {
      paginate: { limit: 1, offset: 1 },
    })
    expect(list).toMatchObject({
      keys: [{ recipient_key: didKeyOf(two) }],
      pagination: { count: 1, offset: 1, remaining: 0 },
    })
  })

  it('takes several updates of one key in their order, and answers each as if it had come alone', async () => {
    const { phone, key } = await reachable()
    const [fresh, foreign] = [createKeyPair(), (await reachable()).key]
    const all: readonly (readonly [typeof key, string, string])[] = [
      [fresh, 'remove', 'no_change'],
      [fresh, 'add', 'success'],
      [fresh, 'remove', 'success'],
      [fresh, 'add', 'success'],
      [fresh, 'remove', 'success'],
      [key, 'remove', 'success'],
      [key, 'add', 'success'],
      [foreign, 'remove', 'no_change'],
      [foreign, 'add', 'client_error'],
      [foreign, 'remove', 'no_change'],
    ]
    const updates = all.map(([{ publicKeyBase58: recipient_key }, action]) => ({ recipient_key, action }))
    const answer = await phone.say('coordinate-mediation/1.0/keylist-update', { updates })
    expect(updatedIn(answer).map(({ action, result }) => [action, result])).toEqual(
      all.map(([, ...rest]) => rest),
    )
    expect((await phone.say('coordinate-mediation/1.0/keylist-query'))?.['keys']).toEqual([
      { recipient_key: didKeyOf(key.publicKeyBase58) },
    ])
    const { forward } = forwardTo(fresh.publicKeyBase58, world.routingKey, 'late')
    expect(await world.forward(forward)).toMatchObject({ undelivered: 'unknown' })
  })

  it('ends for a key that is taken back, and goes on when it is registered again', async () => {
    const { phone, key, send } = await reachable()
    await phone.keylistUpdate([key], 'remove')
    expect((await send('one')).received).toMatchObject({ undelivered: 'unknown' })
    await phone.keylistUpdate([key])
    expect((await send('two')).received).toBe('accepted')
  })

  it('has a thousand keys for a wallet, with those that it took back', async () => {
    const { phone } = await world.connected()
    const keys = Array.from({ length: limits.mailboxKeysMax }, () => createKeyPair())
    await phone.keylistUpdate(keys.slice(0, 600))
    await phone.keylistUpdate(keys.slice(0, 600), 'remove')
    await phone.keylistUpdate(keys.slice(600))
    const [more] = updatedIn(await phone.keylistUpdate([createKeyPair()]))
    expect(more?.['result']).toBe('client_error')
    const [again] = updatedIn(await phone.keylistUpdate(keys.slice(0, 1)))
    expect(again?.['result']).toBe('success')
  })
})

describe('pickup 2.0', () => {
  it('tells what waits, delivers it in order, and forgets it when it was acknowledged', async () => {
    const { phone, key, send } = await reachable()
    expect(await phone.say('messagepickup/2.0/status-request')).toMatchObject({
      message_count: 0,
      total_bytes: 0,
      live_delivery: false,
    })
    const sent = [await send('{}'), await send('{}'), await send('{"number":3}')].map(
      ({ envelope }) => envelope,
    )
    const status = await phone.say('messagepickup/2.0/status-request')
    expect(status).toMatchObject({ message_count: 3, total_bytes: sent.join('').length })
    const first = await phone.waiting(2)
    expect(first.map(({ envelope }) => envelope)).toEqual(sent.slice(0, 2))
    // Delivered is not taken.
    expect((await phone.waiting()).map(({ envelope }) => envelope)).toEqual(sent)
    const ids = first.map(({ id }) => id)
    expect(await phone.say('messagepickup/2.0/messages-received', { message_id_list: ids })).toMatchObject({
      message_count: 1,
    })
    expect((await phone.waiting()).map(({ envelope }) => envelope)).toEqual(sent.slice(2))
    const [third] = await phone.waiting()
    expect(world.open(key, third?.envelope ?? '')).toMatchObject({ number: 3 })
  })

  it('answers with a status where nothing waits', async () => {
    const { phone } = await reachable()
    const answer = await phone.say('messagepickup/2.0/delivery-request', { limit: 10 })
    expect([typeOf(answer), answer?.['message_count']]).toEqual(['messagepickup/2.0/status', 0])
  })

  it('looks at one key where one is named', async () => {
    const { phone, key, send } = await reachable()
    const other = createKeyPair()
    await phone.keylistUpdate([other])
    await send('one')
    const of = (pair: typeof key) => ({ recipient_key: didKeyOf(pair.publicKeyBase58) })
    expect(await phone.say('messagepickup/2.0/status-request', of(key))).toMatchObject({
      message_count: 1,
      ...of(key),
    })
    expect(await phone.say('messagepickup/2.0/status-request', of(other))).toMatchObject({ message_count: 0 })
    const delivery = await phone.say('messagepickup/2.0/delivery-request', { limit: 5, ...of(other) })
    expect(deliveredIn(delivery)).toEqual([])
  })

  it('has live mode on a socket, and not over HTTP', async () => {
    const { phone, address } = await reachable()
    const refused = await phone.say('messagepickup/2.0/live-delivery-change', { live_delivery: true })
    expect(refused).toMatchObject({
      '@type': 'https://didcomm.org/notification/1.0/problem-report',
      description: { code: 'e.m.live-mode-not-supported' },
    })
    const { phoneOn, heard } = world.socket(address)
    const onSocket = phoneOn(phone)
    onSocket.mailbox = phone.mailbox
    expect(
      await onSocket.say('messagepickup/2.0/live-delivery-change', { live_delivery: true }),
    ).toMatchObject({ live_delivery: true })
    await onSocket.say('messagepickup/2.0/live-delivery-change', { live_delivery: false })
    expect(heard).toEqual(['live', null])
  })

  it('tells a live session that nothing waits for it, because everything is pushed', async () => {
    const { phone, address, send } = await reachable()
    await send('one')
    const onSocket = world.socket(address).phoneOn(phone)
    onSocket.mailbox = phone.mailbox
    const changed = (isLive: boolean) =>
      onSocket.say('messagepickup/2.0/live-delivery-change', { live_delivery: isLive })
    expect(await changed(true)).toMatchObject({ message_count: 0 })
    const asked = await onSocket.say('messagepickup/2.0/status-request')
    expect(asked).toMatchObject({ message_count: 0, live_delivery: true })
    expect(await changed(false)).toMatchObject({ message_count: 1, live_delivery: false })
  })

  it('hands a live session what waits, each in a delivery of its own, from a place on', async () => {
    const { phone, address, send } = await reachable()
    const sent = [await send('one'), await send('two'), await send('three')].map(({ envelope }) => envelope)
    const at = await world.phoneOf(address)
    const bare = (await world.mediator.waiting(at, 0, 10, 'implicit')) ?? []
    expect(bare.map(({ envelope }) => envelope)).toEqual(sent)
    const [, second] = bare
    const [third, ...more] = (await world.mediator.waiting(at, second?.place ?? 0, 10, 'live')) ?? []
    expect(more).toEqual([])
    const [delivered] = deliveredIn(world.open(phone.own, third?.envelope ?? ''))
    expect(delivered).toEqual({ id: third?.id, envelope: sent[2] })
    const ids = bare.map(({ id }) => id)
    expect(await world.mediator.acknowledge(at, ids)).toBe(true)
    expect(await world.mediator.waiting(at, 0, 10, 'live')).toEqual([])
  })

  it('has nothing for a live session of a phone in whose place another one came', async () => {
    const { walletId, address, send } = await reachable()
    const before = await world.phoneOf(address)
    await send('one')
    const [message] = (await world.mediator.waiting(before, 0, 10, 'implicit')) ?? []
    await world.phone().connect(await world.invite(walletId))
    expect(await world.mediator.waiting(before, 0, 10, 'implicit')).toBeNull()
    expect(await world.mediator.acknowledge(before, [message?.id ?? ''])).toBe(false)
    const now = await world.phoneOf(address)
    expect(await world.mediator.waiting(now, 0, 10, 'implicit')).toEqual([message])
  })
})

describe('what is no envelope', () => {
  it('is refused before a record is read', async () => {
    const { address } = await reachable()
    await world.restart()
    const before = world.journal.loads
    for (const text of ['', '{}', 'text', '[]', '{"protected":"e30","iv":"","tag":""}'])
      expect(await world.mediator.receive(address, text)).toBe('refused')
    expect(world.journal.loads).toBe(before)
  })
})

describe('a message whose body is missing', () => {
  /** Three wait; the body of the second is away until it is put back. */
  const oneMissing = async () => {
    const connected = await reachable()
    const sent = [await connected.send('one'), await connected.send('two'), await connected.send('three')]
    const [one, two, three] = sent.map(({ envelope }) => envelope)
    const { messages } = await world.mailboxRecord(connected.address)
    const name = `${connected.address}/${messages[1]?.id ?? ''}`
    const sealed = world.bodies.kept.get(name) ?? ''
    world.bodies.kept.delete(name)
    return { ...connected, one, two, three, putBack: () => void world.bodies.kept.set(name, sealed) }
  }
  const ofEach = (delivered: readonly { readonly envelope: string }[]) =>
    delivered.map(({ envelope }) => envelope)

  it('is reported, neither delivered nor counted, and stays in the queue', async () => {
    const { phone, address, one, three } = await oneMissing()
    expect(ofEach(await phone.waiting(1))).toEqual([one])
    expect(ofEach(await phone.waiting())).toEqual([one, three])
    expect(await phone.say('messagepickup/2.0/status-request')).toMatchObject({ message_count: 2 })
    const ids = (await phone.waiting()).map(({ id }) => id)
    expect(await phone.say('messagepickup/2.0/messages-received', { message_id_list: ids })).toMatchObject({
      message_count: 0,
    })
    // The phone that asks once more is not sent in circles.
    const asked = await phone.say('messagepickup/2.0/delivery-request', { limit: 10 })
    expect([typeOf(asked), asked?.['message_count']]).toEqual(['messagepickup/2.0/status', 0])
    expect((await world.mailboxRecord(address)).messages).toHaveLength(1)
    expect(world.reported.filter((each) => each === address)).toHaveLength(1)
  })

  it('is not in the way of those behind it, also for a live session', async () => {
    const { address, one, three } = await oneMissing()
    const at = await world.phoneOf(address)
    const [first] = (await world.mediator.waiting(at, 0, 1, 'implicit')) ?? []
    expect(first?.envelope).toBe(one)
    const behind = (await world.mediator.waiting(at, first?.place ?? 0, 1, 'implicit')) ?? []
    expect(ofEach(behind)).toEqual([three])
  })

  it('is delivered after all when it was put back', async () => {
    const { phone, one, two, three, putBack } = await oneMissing()
    expect(ofEach(await phone.waiting())).toEqual([one, three])
    putBack()
    world.runtime.forward(10 * 60_000 + 1)
    expect(ofEach(await phone.waiting())).toEqual([one, two, three])
    expect(await phone.say('messagepickup/2.0/status-request')).toMatchObject({ message_count: 3 })
  })

  it('that was taken in the meantime is not lost', async () => {
    const { address, send } = await reachable()
    await send('one')
    const { messages } = await world.mailboxRecord(address)
    const at = await world.phoneOf(address)
    vi.spyOn(world.bodies, 'get').mockImplementationOnce(async () => {
      const ids = messages.map(({ id }) => id)
      await world.mediator.acknowledge(at, ids)
      return null
    })
    expect(await world.mediator.waiting(at, 0, 10, 'implicit')).toEqual([])
    expect(world.reported).not.toContain(address)
  })
})

describe('what any wallet may say to its mailbox', () => {
  it('is a ping, which on a socket asks for all that comes', async () => {
    const { phone, address } = await reachable()
    expect(typeOf(await phone.say('trust_ping/1.0/ping'))).toBe('trust_ping/1.0/ping_response')
    expect(await phone.say('trust_ping/1.0/ping', { response_requested: false })).toBeNull()
    const { phoneOn, heard, opened } = world.socket(address)
    const onSocket = phoneOn(phone)
    onSocket.mailbox = phone.mailbox
    await onSocket.say('trust_ping/1.0/ping', { response_requested: false })
    expect([heard, opened]).toEqual([['implicit'], [address]])
  })

  it('is a question for what is spoken here', async () => {
    const { phone } = await reachable()
    const query = { query: 'https://didcomm.org/messagepickup/*' }
    expect(await phone.say('discover-features/1.0/query', query)).toMatchObject({
      protocols: [{ pid: 'https://didcomm.org/messagepickup/2.0', roles: ['mediator'] }],
    })
    const queries = [
      { 'feature-type': 'protocol', match: 'https://didcomm.org/coordinate-mediation/1.0' },
      { 'feature-type': 'goal-code', match: '*' },
    ]
    expect(await phone.say('discover-features/2.0/queries', { queries })).toMatchObject({
      disclosures: [{ 'feature-type': 'protocol', id: 'https://didcomm.org/coordinate-mediation/1.0' }],
    })
  })

  it('is answered by a report where it is not spoken here', async () => {
    const { phone } = await reachable()
    expect(await phone.say('issue-credential/2.0/offer-credential')).toMatchObject({
      '@type': 'https://didcomm.org/notification/1.0/problem-report',
      description: { code: 'message-parse-failure' },
    })
    expect(await phone.say('notification/1.0/problem-report', { description: { code: 'x' } })).toBeNull()
  })

  it('is refused with the reason where the answer could not go back', async () => {
    const { phone } = await reachable()
    await phone.say('messagepickup/2.0/status-request', { '~transport': { return_route: 'none' } })
    expect(JSON.stringify(lastReceived())).toContain('"reason":"The answer can go back on the same way alone')
    // A last word has none.
    const none = { '~transport': { return_route: 'none' } }
    await phone.say('trust_ping/1.0/ping', { response_requested: false, ...none })
    expect(lastReceived()).toBe('accepted')
    await phone.say('notification/1.0/ack', none)
    expect(lastReceived()).toBe('accepted')
  })

  it('has done nothing where it is refused so', async () => {
    const { phone, key, send, walletId, address } = await reachable()
    await send('one')
    const [one] = await phone.waiting()
    const before = await world.mailboxRecord(address)
    const none = { '~transport': { return_route: 'none' } }
    await phone.say('messagepickup/2.0/messages-received', { message_id_list: [one?.id], ...none })
    await phone.say('coordinate-mediation/1.0/keylist-update', {
      updates: [{ recipient_key: key.publicKeyBase58, action: 'remove' }],
      ...none,
    })
    await world.phone().request(await world.invite(walletId), 'did:peer:4', none)
    expect(lastReceived()).toHaveProperty('reason')
    const { connection, keys, messages } = await world.mailboxRecord(address)
    expect({ connection, keys, messages }).toEqual({
      connection: before.connection,
      keys: before.keys,
      messages: before.messages,
    })
  })
})

describe('a wallet that is revoked', () => {
  it('has its messages for 30 days, and then nothing', async () => {
    const { phone, walletId, address, send } = await reachable()
    await send('before')
    await world.revoke(walletId)
    world.runtime.forward(29 * DAY_MS)
    expect((await send('during')).received).toBe('accepted')
    expect(await phone.waiting()).toHaveLength(2)
    world.runtime.forward(DAY_MS)
    await expect
      .poll(async () => (await world.mailboxRecord(address)).status, { timeout: 10_000 })
      .toBe('removed')
    await expect.poll(async () => (await world.walletRecord(walletId)).mailbox).toBe('removed')
    expect(await phone.say('messagepickup/2.0/status-request')).toBeNull()
    expect(lastReceived()).toBe('refused')
    expect((await send('after')).received).toMatchObject({ undelivered: 'unknown' })
    await expect
      .poll(() => [...world.bodies.kept.keys()].filter((name) => name.startsWith(address)))
      .toEqual([])
  })

  it('has no mailbox any more after 30 days, also where its phone never completed, or it was never invited', async () => {
    const [invited, bare] = [await world.newWallet(), await world.newWallet()]
    await world.phone().request(await world.invite(invited))
    await Promise.all([world.revoke(invited), world.revoke(bare)])
    world.runtime.forward(30 * DAY_MS)
    for (const walletId of [invited, bare])
      await expect
        .poll(async () => (await world.walletRecord(walletId)).mailbox, { timeout: 10_000 })
        .toBe('removed')
    expect(await world.mailboxRecord(mailboxOf(invited))).toMatchObject({
      status: 'removed',
      connection: null,
    })
  })

  it('after seven days without a phone is revoked, and not when its phone came a minute before', async () => {
    const [lost, late] = [await world.newWallet(), await world.newWallet()]
    world.runtime.forward(7 * DAY_MS - 60_000)
    await world.phone().connect(await world.invite(late))
    world.runtime.forward(120_000)
    await expect
      .poll(async () => (await world.walletRecord(lost)).status, { timeout: 10_000 })
      .toBe('revoked')
    expect(await world.walletRecord(lost)).toMatchObject({ revokedBy: 'never_connected' })
    expect((await world.walletRecord(late)).status).toBe('active')
  })
})

it('its key is one of Ed25519', () => expect(ed25519KeyOf(world.routingKey)).toBe(world.routingKey))
