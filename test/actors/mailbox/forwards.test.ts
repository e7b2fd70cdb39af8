import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { pack } from '../../../src/didcomm/envelope.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { limits } from '../../../src/domain/limits.ts'
import { forwardTo } from './hand-made-wallet.ts'
import { mediatorWorld } from './mediator-world.ts'

let world: Awaited<ReturnType<typeof mediatorWorld>>
beforeAll(async () => {
  world = await mediatorWorld()
})
afterAll(() => world.close())

const reachable = async () => {
  const connected = await world.connected()
  const key = createKeyPair().publicKeyBase58
  await connected.phone.say('coordinate-mediation/1.0/keylist-update', {
    updates: [{ recipient_key: key, action: 'add' }],
  })
  const send = (text = 'hello') => world.forward(forwardTo(key, world.routingKey, text).forward)
  return { ...connected, key, send }
}

describe('a message that is forwarded', () => {
  it('is there after a restart, as it was sent', async () => {
    const { phone, key } = await reachable()
    const { envelope, forward } = forwardTo(key, world.routingKey, 'hello')
    expect(await world.forward(forward)).toBe('accepted')
    await world.restart()
    expect((await phone.waiting()).map((each) => each.envelope)).toEqual([envelope])
  })

  it('is not answered before it is durable, and not at all while the store is away', async () => {
    const { send, address } = await reachable()
    world.bodies.isAway = true
    await expect(send()).rejects.toThrow('away')
    world.bodies.isAway = false
    expect((await world.mailboxRecord(address)).messages).toEqual([])
    expect(await send()).toBe('accepted')
    expect((await world.mailboxRecord(address)).messages).toHaveLength(1)
  })

  it('to a key that nobody has registered is refused', async () => {
    const { forward } = forwardTo(createKeyPair().publicKeyBase58, world.routingKey, 'hello')
    expect(await world.forward(forward)).toEqual({
      undelivered: 'unknown',
      reason: 'No wallet waits for messages to this key.',
    })
  })

  it('to a mailbox that went with its organisation is refused', async () => {
    const { send, address } = await reachable()
    await world.remove(address)
    expect(await send()).toMatchObject({ undelivered: 'unknown' })
  })

  it('that is no forward, or holds no envelope, is refused', async () => {
    const to = createKeyPair().publicKeyBase58
    const said = (fields: object) =>
      pack(composeMessage({ id: 'm', type: 'routing/1.0/forward', ...fields }), [world.routingKey], null)
    const msg = JSON.parse(pack('x', [to], null)) as unknown
    for (const envelope of [
      pack('nonsense', [world.routingKey], null),
      pack(composeMessage({ id: 'm', type: 'trust_ping/1.0/ping' }), [world.routingKey], null),
      said({ to, msg: {} }),
      said({ to, msg: 'text' }),
      said({ to: 'nobody', msg }),
      said({ msg }),
      said({ to }),
      pack('x', [to], null),
    ])
      expect(await world.forward(envelope)).toBe('refused')
    // An older agent writes what it forwards as a text.
    expect(await world.forward(said({ to, msg: JSON.stringify(msg) }))).toMatchObject({
      undelivered: 'unknown',
    })
  })

  it('beyond the share of its key hears that the mailbox is full, until something was taken', async () => {
    const { phone, send } = await reachable()
    const half = limits.mailboxMessagesMax / 2
    for (let sent = 0; sent < half; ) {
      const burst = await Promise.all(Array.from({ length: 20 }, () => send()))
      sent += burst.filter((received) => received === 'accepted').length
    }
    expect(await send()).toMatchObject({ undelivered: 'full' })
    const kept = world.bodies.calls.length
    expect(await send()).toMatchObject({ undelivered: 'full' })
    // It has just said so, and is not asked for each of a flood; nothing is written.
    expect(world.bodies.calls.length).toBe(kept)
    const [first] = await phone.waiting(1)
    await phone.say('messagepickup/2.0/messages-received', { message_id_list: [first?.id] })
    world.runtime.forward(1_000)
    expect(await send()).toBe('accepted')
  })

  it('is one of at most 32 that are under way to a mailbox', async () => {
    const { send } = await reachable()
    const received = await Promise.all(Array.from({ length: 100 }, () => send()))
    const held = received.filter((each) => typeof each === 'object' && 'retryAfterMs' in each)
    expect([received.filter((each) => each === 'accepted').length, held.length]).toEqual([32, 68])
  })

  it('leaves nothing behind where it was refused', async () => {
    const { phone, key, send, address } = await reachable()
    await phone.say('coordinate-mediation/1.0/keylist-update', {
      updates: [{ recipient_key: key, action: 'remove' }],
    })
    expect(await send()).toMatchObject({ undelivered: 'unknown' })
    await expect
      .poll(() => [...world.bodies.kept.keys()].filter((name) => name.startsWith(address)))
      .toEqual([])
  })
})

describe('who is told of a message', () => {
  const syncsOf = async (address: string) => (await world.mailboxRecord(address)).sync.sequence

  it('is the organisation, once for all that comes within 30 seconds', async () => {
    const { send, address } = await reachable()
    await send()
    await expect.poll(() => syncsOf(address)).toBe(1)
    await send()
    await send()
    expect(await syncsOf(address)).toBe(1)
    world.runtime.forward(31_000)
    await expect.poll(() => syncsOf(address), { timeout: 10_000 }).toBe(2)
    world.runtime.forward(120_000)
    // What it has heard of it does not hear of again.
    await send()
    await expect.poll(() => syncsOf(address)).toBe(3)
  })

  it('is a live session, and then nobody else while it acknowledges', async () => {
    const { send, address } = await reachable()
    const taken: string[] = []
    const watching = await world.listen(address, async () => {
      const phone = await world.phoneOf(address)
      const waiting = await world.mediator.waiting(phone, 0, 10, 'implicit')
      const ids = (waiting ?? []).map(({ id }) => id)
      taken.push(...ids)
      await world.mediator.acknowledge(phone, ids)
      return ids.length > 0
    })
    await send()
    await expect.poll(() => taken.length).toBe(1)
    world.runtime.forward(60_000)
    await send()
    await expect.poll(() => taken.length).toBe(2)
    expect(await syncsOf(address)).toBe(0)
    watching[Symbol.dispose]()
  })

  it('is the organisation after all where a session has taken it and does not acknowledge', async () => {
    const { send, address } = await reachable()
    let isThere = true
    const watching = await world.listen(address, () => isThere)
    await send()
    expect(await syncsOf(address)).toBe(0)
    isThere = false
    world.runtime.forward(16_000)
    await expect.poll(() => syncsOf(address), { timeout: 10_000 }).toBe(1)
    watching[Symbol.dispose]()
  })
})
