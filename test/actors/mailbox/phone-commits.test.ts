import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mailbox } from '../../../src/actors/mailbox/state.ts'
import { SEEN_AGAIN_MS, wallet } from '../../../src/actors/wallet/rules.ts'
import { pack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { forwardTo, updatedIn } from './hand-made-wallet.ts'
import { mediatorWorld } from './mediator-world.ts'

let world: Awaited<ReturnType<typeof mediatorWorld>>
beforeAll(async () => {
  world = await mediatorWorld()
})
afterAll(() => world.close())
afterEach(() => vi.restoreAllMocks())

const lastReceived = () => world.received.at(-1)

/** A phone with one key, and what writes to it. */
const reachable = async () => {
  const connected = await world.connected()
  const key = createKeyPair()
  await connected.phone.keylistUpdate([key])
  const send = (text: string) => world.forward(forwardTo(key.publicKeyBase58, world.routingKey, text).forward)
  return { ...connected, key, send }
}

describe('a ping on a socket that is pushed to already', () => {
  it('is written down together with what it acknowledges', async () => {
    const { phone, address, send } = await reachable()
    await send('one')
    const { session, phoneOn } = world.socket(address)
    const onSocket = phoneOn(phone)
    onSocket.mailbox = phone.mailbox
    await onSocket.say('trust_ping/1.0/ping')
    const at = await world.phoneOf(address)
    const [one] = (await world.mediator.waiting(at, 0, 10, 'implicit')) ?? []
    const acknowledged: Promise<boolean>[] = []
    vi.spyOn(session, 'opened').mockImplementation(() => {
      acknowledged.push(world.mediator.acknowledge(at, [one?.id ?? '']))
    })
    const before = world.journal.batches.length
    await onSocket.say('trust_ping/1.0/ping')
    expect(await Promise.all(acknowledged)).toEqual([true])
    const ofMailbox = world.journal.batches
      .slice(before)
      .map((entries) => entries.filter(({ actor }) => actor === address).length)
    expect(ofMailbox.filter((count) => count > 0)).toEqual([2])
    expect((await world.mailboxRecord(address)).heard).toHaveLength(3)
  })
})

describe('a phone that says that it has received', () => {
  it('deletes what waited, and nothing for other ids', async () => {
    const { phone, address, send } = await reachable()
    await send('one')
    await send('two')
    const [one] = await phone.waiting(1)
    const deletions = () => world.bodies.calls.filter((call) => call === `delete ${address}`).length
    const received = (ids: readonly unknown[]) =>
      phone.say('messagepickup/2.0/messages-received', { message_id_list: ids })
    const before = deletions()
    const foreign = Array.from({ length: 50 }, (_, index) => `foreign-${index}`)
    expect(await received(foreign)).toMatchObject({ message_count: 2 })
    expect(await received([...foreign, one?.id, one?.id])).toMatchObject({ message_count: 1 })
    expect(await received([one?.id])).toMatchObject({ message_count: 1 })
    expect(deletions() - before).toBe(1)
  })
})

describe('a phone that says too much at once', () => {
  /** Nothing more is written down of what it says, as long as the clock stands still. */
  const exhausted = async () => {
    const connected = await reachable()
    let nowMs = world.runtime.now()
    const clock = vi.spyOn(world.runtime, 'now').mockImplementation(() => nowMs)
    const ref = mailbox.ref(connected.address)
    for (let count = 0, isHeard = true; isHeard; count++) {
      const command = { type: 'HearMessage', atMs: nowMs, mark: `mark-${count}` } as const
      const options = { commandId: `hear-${count}`, tenant: null }
      isHeard = !isRefused(await world.actors.ask(ref, command, options))
    }
    expect(clock).toHaveBeenCalled()
    return { ...connected, pass: (ms: number) => void (nowMs += ms) }
  }
  const later = { retryAfterMs: 1_000 }

  it('is to come later with what would be written down, and is answered all else', async () => {
    const { phone, address, send, pass } = await exhausted()
    await send('one')
    const key = createKeyPair()
    expect(await phone.keylistUpdate([key])).toBeNull()
    expect(lastReceived()).toEqual(later)
    const onSocket = world.socket(address)
    const ping = composeMessage({
      id: 'a ping',
      type: 'trust_ping/1.0/ping',
      '~transport': { return_route: 'all' },
    })
    const said = pack(ping, [phone.mailbox.key], phone.own)
    expect(await world.mediator.handle(said, onSocket.session)).toEqual({ outcome: later, replies: [] })
    expect(onSocket.heard).toEqual([])
    expect(await phone.say('messagepickup/2.0/status-request')).toMatchObject({ message_count: 1 })
    expect(await phone.waiting()).toHaveLength(1)
    pass(1_000)
    expect(updatedIn(await phone.keylistUpdate([key]))[0]?.['result']).toBe('success')
  })

  it('keeps what it could not acknowledge', async () => {
    const { phone, send, pass } = await exhausted()
    for (let count = 0; count < 12; count++) await send('text')
    const ids = (await phone.waiting()).map(({ id }) => id)
    const received = (id?: string) =>
      phone.say('messagepickup/2.0/messages-received', { message_id_list: [id] })
    let taken = 0
    while ((await received(ids[taken])) !== null) taken++
    expect(lastReceived()).toEqual(later)
    expect((await phone.waiting()).map(({ id }) => id)).toEqual(ids.slice(taken))
    pass(1_000)
    expect(await received(ids[taken])).toMatchObject({ message_count: ids.length - taken - 1 })
  })
})

describe('a mailbox that is in use for long', () => {
  it('leaves in the journal what came since its last snapshot, and goes on after a restart', async () => {
    const { phone, address, key, send } = await reachable()
    for (let count = 0; count < 250; count++) {
      await send('text')
      const [message] = await phone.waiting(1)
      await phone.say('messagepickup/2.0/messages-received', { message_id_list: [message?.id] })
    }
    await send('last')
    await expect.poll(() => world.journal.events.get(address)?.length).toBeLessThan(210)
    expect(world.journal.snapshots.get(address)?.seq).toBeGreaterThanOrEqual(400)
    await world.restart()
    const [last] = await phone.waiting()
    expect(last?.envelope).toContain('ciphertext')
    expect(await world.mailboxRecord(address)).toMatchObject({
      lastPlace: 251,
      keys: [{ key: key.publicKeyBase58, isActive: true }],
    })
  })
})

describe('a wallet whose app is used for days', () => {
  it('leaves in the journal what came since its last snapshot', async () => {
    const { walletId } = await world.connected()
    const ref = wallet.ref(walletId)
    const beganMs = world.runtime.now()
    for (let times = 1; times <= 120; times++) {
      const command = { type: 'RecordWalletSeen', atMs: beganMs + times * SEEN_AGAIN_MS } as const
      await world.actors.ask(ref, command, { commandId: `seen-${times}`, tenant: null })
    }
    await expect.poll(() => world.journal.events.get(walletId)?.length).toBeLessThan(50)
    expect(world.journal.snapshots.get(walletId)?.seq).toBeGreaterThanOrEqual(100)
    expect(await world.walletRecord(walletId)).toMatchObject({
      status: 'active',
      lastSeenAtMs: beganMs + 120 * SEEN_AGAIN_MS,
    })
  })
})
