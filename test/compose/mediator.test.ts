import { describe, expect, it } from 'vitest'
import { openRoutingKey } from '../../src/actors/mailbox/mediator-ports.ts'
import { mediatorToCome } from '../../src/compose/mediator.ts'
import { createKeyPair } from '../../src/didcomm/keys.ts'
import type { Received } from '../../src/didcomm/opened-envelope.ts'
import { refuse } from '../../src/domain/decider.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { MailboxWatch } from '../../src/ports/mailbox-watch.ts'
import { actorsThat } from '../host/parts/actors-that.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'

const OWN = 'https://own.example'
const vault = new MemoryVault()
/** No wallet has registered any key. */
const actors = actorsThat({ read: () => refuse('not_found', 'r') })
const parts = {
  actors,
  vault,
  bodies: new MemoryBodies(),
  runtime: createRuntime(),
  report: () => undefined,
}
const noWatches: MailboxWatch = {
  announce: async () => false,
  watch: async () => ({ [Symbol.dispose]: () => {} }),
}
const recipientKeys = [createKeyPair().publicKeyBase58]
const at = (endpoint: string, routingKeys: readonly string[] = []) => ({
  endpoint,
  recipientKeys,
  routingKeys,
})

const sent = (envelope: string) => ({
  envelope,
  message: { text: `message ${envelope}`, sending: 'sending', of: null },
})

const opened = async (received: Received = 'accepted') => {
  const posted: string[] = []
  const toCome = mediatorToCome(() => OWN)
  toCome.serve({
    receive: async (address, envelope, from) => {
      posted.push(`${address} ${envelope} ${from}`)
      return received
    },
    isKnown: async () => false,
  })
  await toCome.open(parts, noWatches)
  return { ...toCome, posted }
}

describe('a message that we send', () => {
  const { signal } = new AbortController()

  it('to an address of our own is taken inside, and to no other', async () => {
    const { inside, posted } = await opened()
    expect(await inside.take(at(`${OWN}/didcomm/con_1`), sent('one'), signal)).toBe(true)
    for (const endpoint of [
      'https://elsewhere.example/didcomm/con_1',
      `${OWN}.evil/didcomm/con_1`,
      `${OWN}/v1`,
    ])
      expect(await inside.take(at(endpoint), sent('two'), signal)).toBe(false)
    expect(posted).toEqual(['con_1 one inside'])
  })

  it('that was not taken inside is tried again', async () => {
    const { inside } = await opened('refused')
    await expect(inside.take(at(`${OWN}/didcomm/con_1`), sent('one'), signal)).rejects.toThrow('not taken')
  })

  it('to a wallet that waits here is known by the routing key, whatever the address', async () => {
    const routing = (await openRoutingKey(vault)).publicKeyBase58
    const { inside, posted } = await opened()
    expect(inside.keepsFor(at('https://former.example/didcomm', [routing]))).toBe(true)
    expect(inside.keepsFor(at(`${OWN}/didcomm`, [createKeyPair().publicKeyBase58]))).toBe(false)
    expect(inside.keepsFor(at(`${OWN}/didcomm`, [routing, routing]))).toBe(false)
    // Its key is not registered.
    await expect(inside.take(at(`${OWN}/didcomm`, [routing]), sent('one'), signal)).rejects.toThrow(
      'not taken',
    )
    expect(posted).toEqual([])
  })

  it('waits until the mediator is open', async () => {
    const toCome = mediatorToCome(() => OWN)
    let isTaken: boolean | null = null
    const taking = toCome.inside
      .take(at('https://elsewhere.example'), sent('one'), signal)
      .then((taken) => (isTaken = taken))
    expect(toCome.inside.keepsFor(at(`${OWN}/didcomm`, ['key']))).toBe(false)
    await Promise.resolve()
    expect(isTaken).toBeNull()
    await toCome.open(parts, noWatches)
    await taking
    expect(isTaken).toBe(false)
  })

  it('is not taken when its sender has given up before the mediator is open', async () => {
    const toCome = mediatorToCome(() => OWN)
    const sender = new AbortController()
    const taking = toCome.inside.take(at(`${OWN}/didcomm/con_1`), sent('one'), sender.signal)
    sender.abort(new Error('given up'))
    const posted: string[] = []
    toCome.serve({
      receive: async (address) => (posted.push(address), 'accepted'),
      isKnown: async () => false,
    })
    await toCome.open(parts, noWatches)
    await expect(taking).rejects.toThrow('given up')
    expect(posted).toEqual([])
  })
})
