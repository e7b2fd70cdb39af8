import { deliveryActor } from '../../src/actors/webhook-delivery/effects.ts'
import { endpointActor, endpointOf } from '../../src/actors/webhook-endpoint/kind.ts'
import { laneDefaults } from '../../src/actors/webhook-delivery/endpoint-limiter.ts'
import type { Delivery } from '../../src/actors/webhook-delivery/state.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { setWebhookEndpoint, type WebhookEndpointPorts } from '../../src/actors/webhook-endpoint/commands.ts'
import { deliveryId, webhookIntake } from '../../src/actors/webhook-delivery/intake.ts'
import { SignedSender } from '../../src/webhooks/sender.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { kindsOnHost } from './kinds-on-host.ts'

/** Without personal fields. */
const told = (of: string, index: number) => record(of, 2 * index + 1)

export const tenants = ['ten_00aaaaaaaa', 'ten_00bbbbbbbb'] as const
export const [tenant] = tenants

/** Endpoints and deliveries on a real host, sent over real HTTP to receivers on loopback. */
export const webhookWorld = async () => {
  const outbound = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 1_000 })
  const host = await kindsOnHost(({ actors, runtime, vault }) => {
    const sender = new SignedSender(outbound, () => runtime.now())
    const ports = { actors, vault, sender, runtime, lanes: laneDefaults, askTimeoutMs: 5_000 }
    return [endpointActor, deliveryActor(ports)]
  })
  const { actors, runtime, vault } = host
  const take = webhookIntake({
    actors,
    now: () => runtime.now(),
    endpointOf,
    askTimeoutMs: 5_000,
    atOnceMax: 16,
  })
  const ports: WebhookEndpointPorts = {
    actors,
    vault,
    runtime,
    askTimeoutMs: 5_000,
    allowPrivateTargets: true,
    isPublicAddress: () => true,
  }
  let asked = 0
  return {
    ...host,
    ports,
    set: async (url: string, of: string = tenant): Promise<string> => {
      const answer = await setWebhookEndpoint(ports, of, { url, eventTypes: null }, `set ${++asked}`)
      if ('refused' in answer) throw new Error(answer.reason)
      return answer.secret ?? ''
    },
    tell: (index: number, of: string = tenant) => take([told(of, index)]),
    delivery: async (index: number, of: string = tenant): Promise<Delivery> => {
      const id = deliveryId(endpointOf(of), told(of, index).event.id)
      const options = { commandId: `read ${++asked}`, timeoutMs: 5_000, tenant: of }
      return (await actors.ask<{ delivery: Delivery }>(id, { type: 'ReadDelivery' }, options)).delivery
    },
    [Symbol.asyncDispose]: async () => {
      await host.close()
      outbound[Symbol.dispose]()
    },
  }
}
