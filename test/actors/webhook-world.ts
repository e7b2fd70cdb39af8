import { kinds } from '../../src/actors/index.ts'
import { publishedEventsOf } from '../../src/actors/published-events.ts'
import { endpointLimitDefaults } from '../../src/actors/webhook-delivery/endpoint-limiter.ts'
import { webhookDeliveryKind } from '../../src/actors/webhook-delivery/index.ts'
import { deliveryOf, webhookIntake } from '../../src/actors/webhook-delivery/intake.ts'
import type { Delivery } from '../../src/actors/webhook-delivery/rules.ts'
import { setWebhookEndpoint, type WebhookPorts } from '../../src/actors/webhook-endpoint/commands.ts'
import { webhookEndpointKind } from '../../src/actors/webhook-endpoint/index.ts'
import { endpointOf } from '../../src/actors/webhook-endpoint/rules.ts'
import { isRefused } from '../../src/domain/decider.ts'
import type { KindPorts } from '../../src/actors/kind-ports.ts'
import { webhookDelivery } from '../../src/actors/webhook-delivery/rules.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { kindOf } from '../../src/domain/references.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { SignedSender } from '../../src/webhooks/sender.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { MemoryParking } from '../host/parts/memory-parking.ts'
import { givenPorts } from './given-ports.ts'
import { kindsOnHost } from './kinds-on-host.ts'

/** Without personal fields. */
const told = (of: string, index: number) => record(of, 2 * index + 1)

export const tenants = ['ten_00aaaaaaaa', 'ten_00bbbbbbbb'] as const
export const [tenant] = tenants

type Listed = Pick<Awaited<ReturnType<typeof kindsOnHost>>, 'actors' | 'journal'>

/** The rows of all deliveries there are, made anew for each question. */
const listsToCome = () => {
  const directory = new SqliteDirectory(':memory:')
  let listed: Listed | null = null
  const port: KindPorts['lists'] = {
    caughtUpWith: () => Promise.resolve(),
    list: (query) => port.listHere(query),
    listHere: async (query) => {
      if (listed === null) throw new Error('the actors are not open yet')
      const { actors, journal } = listed
      const ids = [...journal.events.keys()].filter((id) => kindOf(id) === webhookDelivery.prefix)
      const rows = await Promise.all(ids.map(async (id) => webhookDeliveryKind.rowsOf(actors, id)))
      directory.write(0, rows.flat(), { no: 1, index: 0 })
      return directory.list(query)
    },
  }
  return {
    port,
    over: (host: Listed): void => {
      listed = host
    },
    close: () => directory[Symbol.dispose](),
  }
}

/** Endpoints and deliveries on a real host, sent over real HTTP to receivers on loopback. */
export const webhookWorld = async () => {
  const outbound = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 1_000 })
  const lists = listsToCome()
  const eventTypes = publishedEventsOf(kinds).map(({ type }) => type)
  const host = await kindsOnHost(({ actors, runtime, vault }) => {
    const webhookSender = new SignedSender(outbound, () => runtime.now())
    const ports = {
      actors,
      vault,
      runtime,
      webhookSender,
      endpointLimits: endpointLimitDefaults,
      hasOwnKey: () => false,
      lists: lists.port,
      eventTypes,
    }
    return [webhookEndpointKind, webhookDeliveryKind].map((kind) => kind.definition(givenPorts(ports)))
  })
  const { actors, runtime, vault } = host
  lists.over(host)
  const parking = new MemoryParking()
  const take = webhookIntake({ actors, now: () => runtime.now(), parking, atOnceMax: 16 })
  const ports: WebhookPorts = { actors, vault, runtime, allowPrivateTargets: true, eventTypes }
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
      const found = await actors.read(deliveryOf(endpointOf(of), told(of, index).event.id), { tenant: of })
      if (isRefused(found)) throw new Error(found.reason)
      return found
    },
    [Symbol.asyncDispose]: async () => {
      await host.close()
      lists.close()
      outbound[Symbol.dispose]()
    },
  }
}
