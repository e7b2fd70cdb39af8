import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
  return { phone, key, to: { service, ownSeed }, messages, envelopes }
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
