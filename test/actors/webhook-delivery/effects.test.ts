import { describe, expect, it } from 'vitest'
import { attemptDelivery } from '../../../src/actors/webhook-delivery/effects.ts'
import {
  endpointLimitDefaults,
  EndpointLimiters,
} from '../../../src/actors/webhook-delivery/endpoint-limiter.ts'
import { openAnswer } from '../../../src/actors/webhook-delivery/answers.ts'
import { deliveryOf } from '../../../src/actors/webhook-delivery/intake.ts'
import {
  deliveryDecider,
  type DeliveryCommand,
  type DeliveryTypes,
} from '../../../src/actors/webhook-delivery/rules.ts'
import { endpointOf } from '../../../src/actors/webhook-endpoint/rules.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { givenPorts } from '../given-ports.ts'
import { removeWebhookEndpoint, rotateWebhookSecret } from '../../../src/actors/webhook-endpoint/commands.ts'
import { isGenuine, startReceiver } from '../../webhooks/receiver.ts'
import { tenant, tenants, webhookWorld } from '../webhook-world.ts'

const hang = (): void => undefined
const after = (...commands: readonly DeliveryCommand[]): DeliveryTypes['state'] =>
  commands.reduce<DeliveryTypes['state']>((state, command) => {
    const decided = deliveryDecider.decide(state, command)
    if (isRefused(decided)) throw new Error(decided.reason)
    return decided.reduce<DeliveryTypes['state']>(deliveryDecider.evolve, state)
  }, deliveryDecider.initialState)
const patience = { timeout: 60_000 }

describe('the actor of a delivery', () => {
  it('delivers a genuine event once', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver()
    const secret = await world.set(receiver.url)
    await world.tell(1)
    await world.tell(1)
    await expect.poll(async () => (await world.delivery(1)).status, patience).toBe('delivered')
    await world.tell(1)
    expect(receiver.arrived).toHaveLength(1)
    const [arrived] = receiver.arrived
    if (arrived === undefined) throw new Error('nothing arrived')
    expect(isGenuine(arrived, secret)).toBe(true)
    expect(JSON.parse(arrived.body)).toMatchObject({
      id: `evt_${tenant}_3`,
      type: 'credential.state_changed',
      tenantId: tenant,
      createdAt: '2023-11-14T22:13:20.003Z',
      data: { state: 'done' },
    })
  })

  it('follows the documented schedule and is dead after twelve attempts', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver((_arrived, response) => void response.writeHead(503).end())
    await world.set(receiver.url)
    await world.tell(1)
    for (let attempt = 1; attempt <= 12; attempt++) {
      await expect.poll(async () => (await world.delivery(1)).attempts, patience).toBe(attempt)
      const delivery = await world.delivery(1)
      if (delivery.status !== 'pending') break
      world.runtime.forward(delivery.nextAttemptAtMs - world.runtime.now())
    }
    const { status, attempts, attemptLog } = await world.delivery(1)
    expect({ status, attempts }).toEqual({ status: 'dead', attempts: 12 })
    const pauses = attemptLog.slice(1).map(({ atMs }, index) => atMs - (attemptLog[index]?.atMs ?? 0))
    const documented = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600].map((seconds) => seconds * 1_000)
    pauses.forEach((pause, index) => expect(pause).toBeGreaterThanOrEqual(documented[index] ?? 0))
    expect(receiver.arrived).toHaveLength(12)
    expect(world.faults()).toEqual([])
  })

  it('survives a crash at any point: during an attempt it is made again, between two the timer goes on', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver(hang)
    await world.set(receiver.url)
    await world.tell(1)
    await expect.poll(() => receiver.arrived.length, patience).toBe(1)
    receiver.behaviour.answer = (_arrived, response) => void response.writeHead(500).end()
    await world.crash()
    await expect.poll(() => receiver.arrived.length, patience).toBe(2)
    await expect.poll(async () => (await world.delivery(1)).attempts, patience).toBe(1)
    receiver.behaviour.answer = (_arrived, response) => void response.end()
    await world.crash()
    world.runtime.forward(5_100)
    await expect.poll(async () => (await world.delivery(1)).status, patience).toBe('delivered')
    expect(receiver.arrived).toHaveLength(3)
  })

  it('goes to the URL of the moment, with both secrets after a rotation and for a day', async () => {
    await using world = await webhookWorld()
    await using first = await startReceiver((_arrived, response) => void response.writeHead(500).end())
    await using second = await startReceiver((_arrived, response) => void response.writeHead(500).end())
    const old = await world.set(first.url)
    await world.tell(1)
    await expect.poll(async () => (await world.delivery(1)).attempts, patience).toBe(1)
    await world.set(second.url)
    const rotated = await rotateWebhookSecret(world.ports, tenant, 'rotate')
    const fresh = 'secret' in rotated ? (rotated.secret ?? '') : ''
    world.runtime.forward(5_000)
    await expect.poll(() => second.arrived.length, patience).toBe(1)
    const [both] = second.arrived
    if (both === undefined) throw new Error('nothing arrived')
    expect([isGenuine(both, old), isGenuine(both, fresh)]).toEqual([true, true])
    await expect.poll(async () => (await world.delivery(1)).attempts, patience).toBe(2)
    world.runtime.forward(86_400_000)
    await expect.poll(() => second.arrived.length, patience).toBe(2)
    expect(String(second.arrived[1]?.headers['x-svc-signature']).match(/v1=/g)).toHaveLength(1)
    expect(first.arrived).toHaveLength(1)
  })

  it('does not hold up the endpoint of anybody else, however many of its own hang', async () => {
    await using world = await webhookWorld()
    await using slow = await startReceiver(hang)
    await using quick = await startReceiver()
    await world.set(slow.url, tenants[0])
    await world.set(quick.url, tenants[1])
    await Promise.all(Array.from({ length: 150 }, (_, index) => world.tell(index, tenants[0])))
    await expect.poll(() => slow.arrived.length, patience).toBe(endpointLimitDefaults.atOnceMax)
    await Promise.all(Array.from({ length: 100 }, (_, index) => world.tell(index, tenants[1])))
    await expect.poll(() => new Set(quick.ids()).size, patience).toBe(100)
    expect(slow.arrived).toHaveLength(endpointLimitDefaults.atOnceMax)
    slow.behaviour.answer = (_arrived, response) => void response.end()
  })

  it('is not recorded without an endpoint; without one at an attempt it is held, until there is one again', async () => {
    await using world = await webhookWorld()
    await world.tell(1)
    await expect(world.delivery(1)).rejects.toThrow('There is no webhook delivery with this id.')
    await using receiver = await startReceiver((_arrived, response) => void response.writeHead(500).end())
    await world.set(receiver.url)
    await world.tell(2)
    await expect.poll(async () => (await world.delivery(2)).attempts, patience).toBe(1)
    await removeWebhookEndpoint(world.ports, tenant)
    world.runtime.forward(5_000)
    await expect
      .poll(async () => await world.delivery(2), patience)
      .toMatchObject({ isHeld: true, attempts: 1 })
    world.runtime.forward(100 * 86_400_000)
    receiver.behaviour.answer = (_arrived, response) => void response.end('thanks')
    await world.set(receiver.url)
    await expect.poll(async () => (await world.delivery(2)).status, patience).toBe('delivered')
    expect((await world.delivery(2)).attempts).toBe(2)
    expect(world.faults()).toEqual([])
  })

  it('is held by nothing but the batch in which the endpoint says that there is none', async () => {
    const event = {
      id: 'evt_1',
      type: 'connection.state_changed',
      createdAtMs: 1,
      recordType: 'connection',
      recordId: 'con_00aaaaaaaa',
      data: {},
      sealed: null,
    }
    const created = { type: 'CreateDelivery', atMs: 1, tenant, endpoint: endpointOf(tenant), event } as const
    const due = after(created)
    if (due.status !== 'pending') throw new Error('it is not pending')
    const actors = actorsThat({
      read: async () => ({ refused: 'not_found', reason: 'No webhook endpoint is set.' }),
      askAtomically: async () => [],
    })
    const ports = givenPorts({ actors, runtime: createRuntime() })
    const limiters = new EndpointLimiters(endpointLimitDefaults, createRuntime())
    const context = { actor: 'whd_00aaaaaaaa', signal: new AbortController().signal }
    const last = await attemptDelivery(ports, limiters, due, context)
    // Its own last word comes after an endpoint was set again, and the delivery was resumed.
    const hold = { type: 'HoldDelivery', atMs: 2 } as const
    const resumed = after(created, hold, { type: 'ResumeDelivery', atMs: 3 })
    expect(deliveryDecider.decide(after(created, hold), last)).toEqual([])
    expect(deliveryDecider.decide(resumed, last)).toEqual([])
  })

  it('keeps what the receiver answered as ciphertext, and nothing where it answered nothing', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver(
      (_arrived, response) => void response.end('Ada Lovelace is in'),
    )
    await world.set(receiver.url)
    await world.tell(1)
    await expect.poll(async () => (await world.delivery(1)).status, patience).toBe('delivered')
    receiver.behaviour.answer = (_arrived, response) => void response.end()
    await world.tell(2)
    await expect.poll(async () => (await world.delivery(2)).status, patience).toBe('delivered')
    const [answered, silent] = [await world.delivery(1), await world.delivery(2)]
    const delivery = deliveryOf(endpointOf(tenant), answered.event.id)
    const sealed = answered.attemptLog[0]?.sealedAnswer
    const ports = { vault: world.vault, hasOwnKey: () => false }
    expect(await openAnswer(ports, { delivery, tenant, event: answered.event, number: 1 }, sealed)).toBe(
      'Ada Lovelace is in',
    )
    expect(silent.attemptLog[0]?.sealedAnswer).toBeUndefined()
    expect(JSON.stringify([...world.journal.events.values()])).not.toContain('Lovelace')
  })

  it('is delivered once although what the receiver answered cannot be sealed', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver((_arrived, response) => void response.end('thanks'))
    await world.set(receiver.url)
    const { vault } = world
    const seal = vault.openTenant.bind(vault)
    // The key is there for the secret, and not any more when the answer is in.
    receiver.behaviour.answer = (_arrived, response) => {
      vault.openTenant = () => Promise.reject(new Error('away'))
      response.end('thanks')
    }
    await world.tell(1)
    await expect.poll(async () => (await world.delivery(1)).status, patience).toBe('delivered')
    vault.openTenant = seal
    expect((await world.delivery(1)).attemptLog[0]?.sealedAnswer).toBeUndefined()
    expect(receiver.arrived).toHaveLength(1)
  })

  it('keeps no secret in the journal in clear', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver()
    const secret = await world.set(receiver.url)
    await world.tell(1)
    await expect.poll(async () => (await world.delivery(1)).status, patience).toBe('delivered')
    expect(secret).toMatch(/^svc_whsec_[\w-]{43}$/)
    expect(JSON.stringify([...world.journal.events.values()])).not.toContain(secret)
  })
})
