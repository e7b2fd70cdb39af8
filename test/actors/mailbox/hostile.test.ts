import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { Random, seedFrom } from '../../../tools/simulate/random.ts'
import { forwardTo, HandMadeWallet, type Json, openWith, updatedIn } from './hand-made-wallet.ts'
import { mediatorWorld } from './mediator-world.ts'

let world: Awaited<ReturnType<typeof mediatorWorld>>
beforeAll(async () => {
  world = await mediatorWorld()
})
afterAll(() => world.close())

/** A wallet with a message that waits, and another one that wants it. */
const twoWallets = async () => {
  const [victim, attacker] = [await world.connected(), await world.connected()]
  const key = createKeyPair()
  await victim.phone.keylistUpdate([key])
  const { envelope, forward } = forwardTo(key.publicKeyBase58, world.routingKey, 'secret')
  expect(await world.forward(forward)).toBe('accepted')
  const [waiting] = await victim.phone.waiting()
  const isUntouched = async (): Promise<void> => {
    const now = await victim.phone.waiting()
    expect(now).toEqual([{ id: waiting?.id, envelope }])
  }
  return { victim, attacker, key, messageId: waiting?.id ?? '', isUntouched }
}

describe('a mediated wallet', () => {
  it('cannot read or count what waits for another, by the other’s key', async () => {
    const { attacker, key, isUntouched } = await twoWallets()
    const recipient_key = key.publicKeyBase58
    const { phone } = attacker
    expect(await phone.say('messagepickup/2.0/status-request', { recipient_key })).toMatchObject({
      message_count: 0,
      total_bytes: 0,
    })
    const delivery = await phone.say('messagepickup/2.0/delivery-request', { limit: 10, recipient_key })
    expect(delivery).toMatchObject({ message_count: 0 })
    await isUntouched()
  })

  it('cannot delete it, knowing its id', async () => {
    const { attacker, messageId, isUntouched } = await twoWallets()
    const received = { message_id_list: [messageId] }
    expect(await attacker.phone.say('messagepickup/2.0/messages-received', received)).toMatchObject({
      message_count: 0,
    })
    await isUntouched()
    expect([...world.bodies.kept.keys()].some((name) => name.endsWith(messageId))).toBe(true)
  })

  it('cannot name another’s mailbox: what it writes there is not even read', async () => {
    const { attacker, victim, messageId, isUntouched } = await twoWallets()
    const { own } = attacker.phone
    for (const [type, fields] of [
      ['messagepickup/2.0/status-request', {}],
      ['messagepickup/2.0/messages-received', { message_id_list: [messageId] }],
      ['coordinate-mediation/1.0/keylist-query', {}],
      ['didexchange/1.1/complete', {}],
    ] as const) {
      // With the other's key to its mailbox, and with its own.
      for (const place of [
        victim.phone.mailbox,
        { address: victim.phone.mailbox.address, key: attacker.phone.mailbox.key },
        { address: attacker.phone.mailbox.address, key: victim.phone.mailbox.key },
      ]) {
        expect(await attacker.phone.say(type, fields, own, place)).toBeNull()
        expect(world.received.at(-1)).toBe('refused')
      }
    }
    await isUntouched()
  })

  it('cannot claim another’s key, also after the other took it back', async () => {
    const { attacker, victim, key } = await twoWallets()
    const resultOf = (answer: Json | null) => updatedIn(answer)[0]?.['result']
    // What nobody has is answered in the same way.
    expect(resultOf(await attacker.phone.keylistUpdate([key], 'remove'))).toBe('no_change')
    expect(resultOf(await attacker.phone.keylistUpdate([createKeyPair()], 'remove'))).toBe('no_change')
    expect(resultOf(await attacker.phone.keylistUpdate([key]))).toBe('client_error')
    await victim.phone.keylistUpdate([key], 'remove')
    expect(resultOf(await attacker.phone.keylistUpdate([key]))).toBe('client_error')
    expect((await attacker.phone.say('coordinate-mediation/1.0/keylist-query'))?.['keys']).toEqual([])
    const { forward } = forwardTo(key.publicKeyBase58, world.routingKey, 'later')
    expect(await world.forward(forward)).toMatchObject({ undelivered: 'unknown' })
  })

  it('cannot have two wallets share a key by registering it at the same time', async () => {
    const wallets = await Promise.all(Array.from({ length: 5 }, () => world.connected()))
    const key = createKeyPair()
    const answers = await Promise.all(wallets.map(({ phone }) => phone.keylistUpdate([key])))
    const results = answers.map((answer) => String(updatedIn(answer)[0]?.['result']))
    expect(results.toSorted((left, right) => left.localeCompare(right))).toEqual([
      'client_error',
      'client_error',
      'client_error',
      'client_error',
      'success',
    ])
    const { forward } = forwardTo(key.publicKeyBase58, world.routingKey, 'for one')
    expect(await world.forward(forward)).toBe('accepted')
    const waiting = await Promise.all(wallets.map(({ phone }) => phone.waiting()))
    expect(waiting.map(({ length }) => length)).toEqual(
      results.map((result) => (result === 'success' ? 1 : 0)),
    )
  })

  it('cannot use another’s invitation, nor the connection of one that it has seen', async () => {
    const url = await world.invite(await world.newWallet())
    const honest = world.phone()
    await honest.connect(url)
    const thief = world.phone()
    expect(await thief.request(url)).toMatchObject({ 'problem-code': 'request_not_accepted' })
    thief.mailbox = honest.mailbox
    expect(await thief.say('messagepickup/2.0/status-request')).toBeNull()
  })
})

describe('an envelope to a mailbox', () => {
  it('without a sender, for another key, or of no message at all is refused', async () => {
    const { phone } = await world.connected()
    const { address, key } = phone.mailbox
    const status = composeMessage({ id: 'm', type: 'messagepickup/2.0/status-request' })
    const envelopes = [
      pack(status, [key], null),
      pack(status, [createKeyPair().publicKeyBase58], phone.own),
      pack('not a message', [key], phone.own),
      pack('{"@type":"https://didcomm.org/messagepickup/2.0/status-request"}', [key], phone.own),
      '{}',
      'nonsense',
      '{"protected":1,"iv":"","ciphertext":"","tag":""}',
      '['.repeat(10_000),
    ]
    for (const envelope of envelopes) {
      expect(await world.post(address, envelope)).toBeNull()
      expect(world.received.at(-1)).toBe('refused')
    }
  })

  it('that is sent again changes nothing', async () => {
    const recorded: [string, string][] = []
    const { phone, address } = await world.connected()
    const recording = new HandMadeWallet((to, envelope) => {
      recorded.push([to, envelope])
      return world.post(to, envelope)
    }, phone.own)
    recording.mailbox = phone.mailbox
    const key = createKeyPair()
    await recording.keylistUpdate([key])
    await world.forward(forwardTo(key.publicKeyBase58, world.routingKey, 'one').forward)
    const [one] = await recording.waiting()
    await recording.say('messagepickup/2.0/messages-received', { message_id_list: [one?.id] })
    await world.forward(forwardTo(key.publicKeyBase58, world.routingKey, 'two').forward)
    const before = await world.mailboxRecord(address)
    for (const [to, envelope] of recorded) await world.post(to, envelope)
    expect(await world.mailboxRecord(address)).toEqual(before)
  })

  it('that asked for what comes, sent again on another socket, has nothing pushed there', async () => {
    const { phone, address } = await world.connected()
    for (const [type, fields] of [
      ['trust_ping/1.0/ping', { response_requested: false }],
      ['messagepickup/2.0/live-delivery-change', { live_delivery: true }],
    ] as const) {
      const own = world.socket(address)
      let said = ''
      const recording = new HandMadeWallet(async (_, envelope) => {
        said = envelope
        await world.mediator.handle(envelope, own.session)
        return null
      }, phone.own)
      recording.mailbox = phone.mailbox
      await recording.say(type, fields)
      expect(own.heard).toHaveLength(1)
      const other = world.socket(address)
      expect(await world.mediator.handle(said, other.session)).toEqual({ outcome: 'refused', replies: [] })
      // It does not even show whose socket it is.
      expect([other.heard, other.opened]).toEqual([[], []])
    }
  })

  it('that changed keys, sent again later, is answered as they stand and changes none', async () => {
    const recorded: string[] = []
    const { phone, address } = await world.connected()
    const recording = new HandMadeWallet((to, envelope) => {
      recorded.push(envelope)
      return world.post(to, envelope)
    }, phone.own)
    recording.mailbox = phone.mailbox
    const key = createKeyPair()
    for (const action of ['add', 'remove', 'add']) await recording.keylistUpdate([key], action)
    const before = await world.mailboxRecord(address)
    const results: unknown[] = []
    for (const envelope of recorded) {
      const answer = await world.post(phone.mailbox.address, envelope)
      results.push(updatedIn(answer === null ? null : openWith(phone.own, answer))[0]?.['result'])
    }
    expect(results).toEqual(['success', 'no_change', 'success'])
    expect(await world.mailboxRecord(address)).toEqual(before)
  })

  it('that was changed in any place changes nothing, ten thousand times', async () => {
    const seed = seedFrom(process.env['SEED'])
    const random = new Random(seed)
    const { phone, address } = await world.connected()
    const key = createKeyPair()
    await phone.keylistUpdate([key])
    const { forward } = forwardTo(key.publicKeyBase58, world.routingKey, 'hello')
    await world.forward(forward)
    const [waiting] = await phone.waiting()
    const message = composeMessage({
      id: 'm',
      type: 'messagepickup/2.0/messages-received',
      message_id_list: [waiting?.id],
    })
    const originals = [
      [null, forward],
      [address, pack(message, [phone.mailbox.key], phone.own)],
    ] as const
    const before = await world.mailboxRecord(address)
    const outcomes = new Set<unknown>()
    for (let round = 0; round < 10_000; round++) {
      const [to, envelope] = originals[round % 2] ?? originals[0]
      const changed = mutated(envelope, random)
      if (meansTheSame(changed, envelope)) continue
      outcomes.add(JSON.stringify(await world.mediator.receive(to, changed)))
    }
    expect([...outcomes], `seed ${seed}`).toEqual(['"refused"'])
    expect(await world.mailboxRecord(address)).toEqual(before)
    expect(world.faults()).toEqual([])
  })
})

/** One character is another one, some are missing, or some come twice. */
const mutated = (text: string, random: Random): string => {
  const at = random.below(text.length)
  const length = random.integer(1, 20)
  const kind = random.below(4)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1) return text.slice(0, at) + text.slice(at + length)
  if (kind === 2) return text.slice(0, at + length) + text.slice(at)
  return text.slice(0, at) + CHARACTERS.charAt(random.below(CHARACTERS.length)) + text.slice(at + 1)
}

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_{}[]":,'

/** The last character of a text in base64 has bits that say nothing. */
const meansTheSame = (changed: string, original: string): boolean => {
  const fieldsOf = (text: string): readonly string[] => {
    const { protected: header, ...fields } = JSON.parse(text) as Record<string, string>
    return [header ?? '', ...['iv', 'ciphertext', 'tag'].map((name) => bytesIn(fields[name]))]
  }
  try {
    return fieldsOf(changed).join() === fieldsOf(original).join()
  } catch {
    return false
  }
}

const bytesIn = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString('hex')
