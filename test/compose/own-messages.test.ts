import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mediatorToCome } from '../../src/compose/mediator.ts'
import { deliverTo } from '../../src/didcomm/deliver.ts'
import { createKeyPair, seedOf } from '../../src/didcomm/keys.ts'
import { composeMessage } from '../../src/didcomm/message.ts'
import type { Deliver } from '../../src/ports/wallets.ts'
import { mediatorWorld } from '../actors/mailbox/mediator-world.ts'

let world: Awaited<ReturnType<typeof mediatorWorld>>
beforeEach(async () => {
  world = await mediatorWorld()
})
afterEach(() => world.close())

const ownSeed = seedOf(createKeyPair()).toString('base64url')
const offer = composeMessage({ id: 'cre_1', type: 'issue-credential/2.0/offer-credential' })
const { signal } = new AbortController()

/** How the service writes to wallets, as it is after a start. */
const opened = async (): Promise<Deliver> => {
  const toCome = mediatorToCome(world.publicUrl)
  await toCome.open({ ...world, report: () => undefined }, world.mailboxWatch)
  const send = () => Promise.reject(new Error('it went out'))
  return deliverTo({ send, newId: () => 'id', inside: toCome.inside })
}

/** A wallet that waits for its messages here. */
const waiting = async () => {
  const { phone, address } = await world.connected()
  const key = createKeyPair()
  await phone.keylistUpdate([key])
  const endpoint = `${world.publicUrl()}/didcomm`
  const service = { endpoint, recipientKeys: [key.publicKeyBase58], routingKeys: [world.routingKey] }
  const messages = async () =>
    (await phone.waiting()).map(({ envelope }) => String(world.open(key, envelope)['@id']))
  const envelopes = () => [...world.bodies.kept.keys()].filter((name) => name.startsWith(address)).length
  return { phone, address, key, to: { service, ownSeed }, messages, envelopes }
}

describe('a message of our own to a wallet that waits here', () => {
  it('waits there once where an attempt was committed and its answer was lost', async () => {
    const { to, messages, envelopes } = await waiting()
    const deliver = await opened()
    world.loseAnswer('KeepMessage')
    await expect(deliver(to, offer, signal, 'cre_1 offer')).rejects.toThrow('lost')
    await deliver(to, offer, signal, 'cre_1 offer')
    expect(await messages()).toEqual(['cre_1'])
    await expect.poll(envelopes).toBe(1)
  })

  it('waits there once where it is sent again after a crash, when the wallet has taken it', async () => {
    const { phone, to, messages, envelopes } = await waiting()
    world.loseAnswer('KeepMessage')
    await expect((await opened())(to, offer, signal, 'cre_1 offer')).rejects.toThrow('lost')
    await world.restart()
    const [kept] = await phone.waiting()
    await phone.say('messagepickup/2.0/messages-received', { message_id_list: [kept?.id] })
    await (await opened())(to, offer, signal, 'cre_1 offer')
    expect(await messages()).toEqual([])
    await expect.poll(envelopes).toBe(0)
  })

  it('comes once more where that is meant, or where it says something else', async () => {
    const { to, messages } = await waiting()
    const deliver = await opened()
    await deliver(to, offer, signal, 'con_1 answer response-sent 0')
    await deliver(to, offer, signal, 'con_1 answer response-sent 1')
    await deliver(to, offer.replace('cre_1', 'cre_2'), signal, 'con_1 answer response-sent 1')
    expect(await messages()).toEqual(['cre_1', 'cre_1', 'cre_2'])
  })

  it('is kept by a later attempt where the one before was refused', async () => {
    const { phone, key, to, messages } = await waiting()
    const deliver = await opened()
    await phone.keylistUpdate([key], 'remove')
    await expect(deliver(to, offer, signal, 'cre_1 offer')).rejects.toThrow('not taken')
    await phone.keylistUpdate([key])
    await deliver(to, offer, signal, 'cre_1 offer')
    expect(await messages()).toEqual(['cre_1'])
  })
})

const HOUR_MS = 3_600_000
const cre = 'cre_00aaaaaaaa'
const part = { exchange: cre, isOver: false } as const
const end = { exchange: cre, isOver: true } as const
const withdrawal = composeMessage({ id: 'cre_1.problem', type: 'issue-credential/2.0/problem-report' })

describe('a message of an exchange to a wallet that waits here', () => {
  const offered = async () => {
    await world.vault.create(cre)
    const waits = await waiting()
    const deliver = await opened()
    const other = composeMessage({ id: 'other', type: 'trust_ping/1.0/ping' })
    await deliver(waits.to, other, signal, 'con_1 ping')
    await deliver(waits.to, offer, signal, `${cre} offer`, part)
    const queue = async () => (await world.mailboxRecord(waits.address)).messages
    return { ...waits, deliver, queue }
  }

  it('is sealed with the key of the exchange, and what is no part of one with that of the mailbox', async () => {
    const { address, messages, queue } = await offered()
    expect((await queue()).map(({ of }) => of)).toEqual([undefined, cre])
    world.vault.calls.length = 0
    expect(await messages()).toEqual(['other', 'cre_1'])
    expect(world.vault.calls).toEqual(expect.arrayContaining([`open ${address}`, `open ${cre}`]))
  })

  it('leaves the queue where the exchange was erased, and stands in the way of nothing behind it', async () => {
    const { phone, address, key, deliver, to, messages, queue, envelopes } = await offered()
    await deliver(to, offer.replace('cre_1', 'later'), signal, 'con_1 later')
    await world.vault.erase(cre)
    const at = await world.phoneOf(address)
    const pushed = (await world.mediator.waiting(at, 1, 1, 'implicit')) ?? []
    expect(pushed.map(({ envelope }) => world.open(key, envelope)['@id'])).toEqual(['later'])
    expect(await queue()).toHaveLength(2)
    expect(envelopes()).toBe(2)
    expect(await messages()).toEqual(['other', 'later'])
    expect(await phone.say('messagepickup/2.0/status-request')).toMatchObject({ message_count: 2 })
    expect(world.reported).toEqual([])
  })

  it('is passed over where the key store does not know the key, and reported', async () => {
    const { address, messages, queue } = await offered()
    world.vault.unknown.add(cre)
    expect(await messages()).toEqual(['other'])
    expect(await queue()).toHaveLength(2)
    expect(world.reported).toEqual([address])
  })

  it('goes when the exchange is over, and its holder still hears of that', async () => {
    const { deliver, to, messages, envelopes } = await offered()
    await deliver(to, withdrawal, signal, `${cre} problem`, end)
    expect(envelopes()).toBe(2)
    await world.vault.erase(cre)
    expect(await messages()).toEqual(['other', 'cre_1.problem'])
  })

  it('is gone at once where the service dies before the mailbox has heard of it', async () => {
    const { deliver, to, messages, queue, envelopes } = await offered()
    world.loseAnswer('DropMessages')
    await expect(deliver(to, withdrawal, signal, `${cre} problem`, end)).rejects.toThrow('lost')
    expect(envelopes()).toBe(1)
    await world.restart()
    await (await opened())(to, withdrawal, signal, `${cre} problem`, end)
    await (await opened())(to, withdrawal, signal, `${cre} problem`, end)
    expect(await messages()).toEqual(['other', 'cre_1.problem'])
    expect(await queue()).toHaveLength(2)
  })

  it('goes an hour after the 24 in which its holder was silent; what is no part of an exchange stays', async () => {
    const { messages, queue } = await offered()
    world.runtime.forward(24 * HOUR_MS)
    expect(await messages()).toEqual(['other', 'cre_1'])
    world.runtime.forward(HOUR_MS + 60_000)
    await expect.poll(queue).toHaveLength(1)
    expect(await messages()).toEqual(['other'])
  })

  it('is kept once however often it is tried, by a name that only the key of the exchange gives it', async () => {
    await world.vault.create(cre)
    const { to, messages } = await waiting()
    const asked = vi.spyOn(world.actors, 'ask')
    const deliver = await opened()
    world.loseAnswer('KeepMessage')
    await expect(deliver(to, offer, signal, `${cre} offer`, part)).rejects.toThrow('lost')
    await deliver(to, offer, signal, `${cre} offer`, part)
    await deliver(to, offer.replace('cre_1', 'cre_2'), signal, `${cre} offer`, part)
    expect(await messages()).toEqual(['cre_1', 'cre_2'])
    const ids = asked.mock.calls.map((call) => (call[2] as { commandId: string }).commandId)
    const kept = ids.filter((id) => id.startsWith('keep:'))
    expect(new Set(kept).size).toBe(2)
    for (const text of [offer, `${cre} offer ${offer}`])
      expect(kept).not.toContain(`keep:${createHash('sha256').update(text).digest('base64url')}`)
  })
})
