import type { HostFault } from '../../src/host/faults.ts'
import { actorsOf } from '../host/parts/actors-that.ts'
import { deliveryActor } from '../../src/actors/webhook-delivery/effects.ts'
import { endpointActor, endpointOf } from '../../src/actors/webhook-endpoint/kind.ts'
import { laneDefaults } from '../../src/actors/webhook-delivery/endpoint-limiter.ts'
import type { Delivery } from '../../src/actors/webhook-delivery/state.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { setWebhookEndpoint, type WebhookEndpointPorts } from '../../src/actors/webhook-endpoint/commands.ts'
import { deliveryId, webhookIntake } from '../../src/actors/webhook-delivery/intake.ts'
import { SignedSender } from '../../src/webhooks/sender.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { MemoryJournal } from '../host/parts/memory-journal.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { openHost, type TestHost } from '../host/parts/open-host.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'

/** Without personal fields. */
const told = (of: string, index: number) => record(of, 2 * index + 1)

export const tenants = ['ten_00aaaaaaaa', 'ten_00bbbbbbbb'] as const
export const [tenant] = tenants

/** Endpoints and deliveries on a real host, sent over real HTTP to receivers on loopback. */
export const webhookWorld = async () => {
  const runtime = testRuntime()
  const journal = new MemoryJournal()
  const vault = new MemoryVault()
  const outbound = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 1_000 })
  let host: TestHost
  const actors = actorsOf(() => host.host)
  const sender = new SignedSender(outbound, () => runtime.now())
  const faults: HostFault[] = []
  const open = async (): Promise<void> => {
    const ports = { actors, vault, sender, runtime, lanes: laneDefaults, askTimeoutMs: 5_000 }
    host = await openHost(journal, { definitions: [endpointActor, deliveryActor(ports)], vault, runtime })
  }
  await open()
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
    runtime,
    journal,
    vault,
    ports,
    faults: () => [...faults, ...host.faults],
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
    /** As after a kill: what ran is cut off, nothing is finished. */
    crash: async (): Promise<void> => {
      journal.opened.get(0)?.lose('fenced')
      faults.push(...host.faults)
      const old = host
      await open()
      await old.host[Symbol.asyncDispose]()
    },
    [Symbol.asyncDispose]: async () => {
      await host.host[Symbol.asyncDispose]()
      outbound[Symbol.dispose]()
    },
  }
}
