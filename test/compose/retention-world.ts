import { expect, vi } from 'vitest'
import { newRef } from '../../src/actors/ids.ts'
import { connection } from '../../src/actors/connection/rules.ts'
import { credential } from '../../src/actors/credential/rules.ts'
import { kinds } from '../../src/actors/index.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { createTenant, setRetention } from '../../src/actors/tenant/commands.ts'
import { eventIdOf } from '../../src/actors/state-changed.ts'
import { deliveryOf } from '../../src/actors/webhook-delivery/intake.ts'
import { endpointOf } from '../../src/actors/webhook-endpoint/rules.ts'
import { RetentionSweep } from '../../src/actors/tenant/retention-sweep.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { isRefused } from '../../src/domain/decider.ts'
import { PREFIX } from '../../src/domain/message-prefix.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { serviceOnMemory } from './service-on-memory.ts'

const DAY_MS = 86_400_000

export type Organisation = { readonly id: string; readonly connectionId: string }
type Exchange = {
  readonly organisation: string
  readonly id: string
  readonly day: number
  erasedOn: number | null
}

/** Real actors on all shards, their lists, and the sweep, on a clock that passes day by day. */
export const retentionWorld = async () => {
  const service = await serviceOnMemory()
  const { actors, runtime, journal, useCases } = service
  const tables = new KindTables(kinds)
  const exchanges: Exchange[] = []
  const failures: unknown[] = []
  let directory = new SqliteDirectory(':memory:')
  let listed = new Map<string, number>()
  let day = 0
  let sweptShards = 0
  const project = async (): Promise<void> => {
    const changed = [...journal.events].filter(([id, { length }]) => listed.get(id) !== length)
    for (const [id, { length }] of changed) listed.set(id, length)
    const rows = await Promise.all(changed.map(async ([id]) => tables.rowsOf(actors, id)))
    directory.write(0, rows.flat(), { no: 1, index: 0 })
  }
  const startSweep = (): RetentionSweep =>
    new RetentionSweep({
      actors,
      runtime,
      finished: {
        tenantsWithFinished: async (shard) => {
          sweptShards += 1
          return directory.tenantsWithFinished(shard)
        },
        finishedBefore: async (query) => directory.finishedBefore(query),
        swept: async (rows) => directory.swept(rows),
      },
      isOpen: () => true,
      recordsPerSecond: 100_000,
      firstAfterMs: 0,
      swept: () => undefined,
      failed: (_shard, error) => failures.push(error),
    })
  let sweep = startSweep()
  const untilSwept = (shards: number) =>
    vi.waitFor(() => expect(sweptShards).toBeGreaterThanOrEqual(shards), { timeout: 60_000, interval: 2 })
  const erasedAtMs = async (id: string): Promise<number | null> => {
    const record = await actors.read(credential.ref(id))
    if (isRefused(record)) throw new Error(record.reason)
    // What is erased has nothing personal left.
    expect(record.attributes === null).toBe(record.erasedAtMs !== null)
    return record.erasedAtMs
  }
  await untilSwept(SHARD_COUNT)
  return {
    service,
    exchanges,
    failures,
    today: () => day,
    organisation: async (name: string, retentionDays: number): Promise<Organisation> => {
      const made = await createTenant(useCases, name)
      if (isRefused(made)) throw new Error(made.reason)
      await setRetention(useCases, made.id, retentionDays)
      const to = newRef(connection, runtime)
      const command = {
        type: 'RequestConnection',
        atMs: runtime.now(),
        tenant: made.id,
        invitationId: 'inv_00aaaaaaaa',
        externalId: null,
        threadId: 't',
        theirLabel: 'Phone',
        theirDid: 'did',
        theirService: { endpoint: 'https://wallet.example', recipientKeys: ['key'], routingKeys: [] },
        ownSeed: 'seed',
        ownKey: 'key',
        protocol: 'didexchange/1.1',
        prefix: PREFIX,
      } as const
      await actors.ask(to, command, { commandId: 'request', tenant: made.id })
      return { id: made.id, connectionId: to }
    },
    /** An exchange that its holder declines at once. */
    finish: async ({ id: tenant, connectionId }: Organisation): Promise<void> => {
      const to = newRef(credential, runtime)
      const atMs = runtime.now()
      const offered = {
        type: 'OfferCredential',
        atMs,
        tenant,
        connectionId,
        externalId: null,
        definition: { catalogueId: 'def_00aaaaaaaa', ledgerId: 'ledger' },
        threadId: to,
        nonce: '1',
        attributes: { name: 'Ada' },
      } as const
      await actors.ask(to, offered, { commandId: 'offer', tenant })
      const no = {
        type: 'ReceiveCredentialProblem',
        atMs,
        from: connectionId,
        prefix: PREFIX,
        code: 'no',
        text: '',
      } as const
      const declined = await actors.ask(to, no, { commandId: 'no', tenant })
      expect(declined).toMatchObject({ status: 'declined' })
      exchanges.push({ organisation: tenant, id: to, day, erasedOn: null })
    },
    /** The webhook of a record's event, which has arrived. */
    delivered: async (tenant: string, recordId: string, sequence: number) => {
      const endpoint = endpointOf(tenant)
      const id = eventIdOf(recordId, sequence)
      const delivery = deliveryOf(endpoint, id)
      const atMs = runtime.now()
      const about = { recordType: 'connection', recordId, data: { id: recordId }, sealed: null }
      const event = { id, type: 'connection.state_changed', createdAtMs: atMs, ...about }
      const url = 'https://receiver.example'
      // With this secret the service sends nothing itself.
      const secret = {
        type: 'SetWebhookEndpoint',
        atMs,
        tenant,
        url,
        eventTypes: null,
        sealedSecret: '',
      } as const
      await actors.ask(endpoint, secret, { commandId: 'endpoint', tenant })
      const create = { type: 'CreateDelivery', atMs, tenant, endpoint, event } as const
      await actors.ask(delivery, create, { commandId: id, tenant })
      const attempt = { atMs, url, status: 200, durationMs: 1, error: null }
      const arrived = { type: 'RecordDeliveryAttempt', atMs, number: 1, attempt } as const
      const reply = await actors.ask(delivery, arrived, { commandId: `${id}:1`, tenant })
      expect(reply).toMatchObject({ status: 'delivered' })
      return delivery
    },
    /** The next day begins, and every shard has its sweep. */
    pass: async (): Promise<void> => {
      await project()
      const shards = sweptShards
      runtime.forward(DAY_MS)
      day += 1
      await untilSwept(shards + SHARD_COUNT)
      // The last of them may still be under way: the next sweep begins when it is over.
      await sweep[Symbol.asyncDispose]()
      sweep = startSweep()
      await untilSwept(shards + 2 * SHARD_COUNT)
      // Of that one, too, the last shard may still be under way.
      await sweep.sweepNow()
    },
    /** What a sweep would go through now, if the organisation's period were so long. */
    due: async (tenant: string, days: number) => {
      await project()
      return directory.due({ tenant, beforeMs: runtime.now() - days * DAY_MS })
    },
    sweepNow: async (): Promise<void> => {
      await project()
      await sweep.sweepNow()
    },
    /** Notes which exchanges are erased by now. */
    look: async (): Promise<void> => {
      const kept = exchanges.filter(({ erasedOn }) => erasedOn === null)
      await Promise.all(
        kept.map(async (exchange) => {
          if ((await erasedAtMs(exchange.id)) !== null) exchange.erasedOn = day
        }),
      )
    },
    loseLists: (): void => {
      directory[Symbol.dispose]()
      directory = new SqliteDirectory(':memory:')
      listed = new Map()
    },
    close: async (): Promise<void> => {
      await sweep[Symbol.asyncDispose]()
      directory[Symbol.dispose]()
      await service.close()
    },
  }
}

/** 90 days of three organisations with the periods 1, 90 and 0, and what each of their exchanges must have come to. */
export const passNinetyDays = async (finishedADay: number) => {
  const world = await retentionWorld()
  const { useCases } = world.service
  try {
    const day = await world.organisation('A day', 1)
    const quarter = await world.organisation('A quarter', 90)
    const ever = await world.organisation('For ever', 0)
    const changed = { on: 40, to: 30 }
    for (let today = 0; today <= 91; today++) {
      for (const organisation of [day, quarter, ever])
        await Promise.all(Array.from({ length: finishedADay }, () => world.finish(organisation)))
      if (today === changed.on) await setRetention(useCases, ever.id, changed.to)
      await world.pass()
      await world.look()
    }
    /** Each is erased by the first sweep at which it is as old as the period of that day says, and by no other. */
    const expectedDay = ({ organisation, day: finished }: Exchange): number | null => {
      const due =
        organisation === day.id
          ? finished + 1
          : organisation === quarter.id
            ? finished + 90
            : Math.max(finished + changed.to, changed.on + 1)
      return due <= world.today() ? due : null
    }
    const { exchanges, failures } = world
    return {
      failures,
      exchanges: exchanges.length,
      wrong: exchanges.filter((exchange) => exchange.erasedOn !== expectedDay(exchange)),
      organisationsSwept: new Set(
        exchanges.flatMap((each) => (each.erasedOn === null ? [] : each.organisation)),
      ).size,
    }
  } finally {
    await world.close()
  }
}
