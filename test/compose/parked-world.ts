import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import BetterSqlite3 from 'better-sqlite3'
import { kinds as everyKind } from '../../src/actors/index.ts'
import { heldIn, parkedIn, retryParked } from '../../src/actors/parked-record/parking.ts'
import { publishedEventsOf } from '../../src/actors/published-events.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { setWebhookEndpoint } from '../../src/actors/webhook-endpoint/commands.ts'
import { openDurableActors } from '../../src/compose/durable-actors.ts'
import { composeWebhooks, openEvents } from '../../src/compose/events.ts'
import { followLists } from '../../src/compose/lists.ts'
import { DIRECTORY_READER } from '../../src/directory/saved-positions.ts'
import { PUBLISHER } from '../../src/stream/shard-publisher.ts'
import { givenPorts } from '../actors/given-ports.ts'
import { askById } from '../host/parts/ask-by-id.ts'
import { writtenLog } from '../telemetry/written-log.ts'
import { contextOn } from './service-context.ts'

const kinds = everyKind.filter(({ prefix }) => ['con', 'whk', 'whd', 'prk'].includes(prefix))
const tables = new KindTables(kinds)
const FOLLOWERS = { projectedReader: DIRECTORY_READER, publishedReader: PUBLISHER }

type Told = {
  readonly tenantId: string
  readonly data: { readonly id: string; readonly sequence: number }
}

/** Takes every webhook and keeps what it said. */
export const receiver = async () => {
  const told: Told[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      told.push(JSON.parse(body) as Told)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Which of its changes a record's webhooks told. */
    toldOf: (id: string) =>
      [...new Set(told.filter(({ data }) => data.id === id).map(({ data }) => data.sequence))].sort(
        (left, right) => left - right,
      ),
    close: () => void server.close(),
  }
}

/** The publisher saves its position every five seconds, and nothing is folded that it has not passed. */
export const FORGET_AFTER_MS = 6_000

/** Connections, endpoints and deliveries over a real journal in the folder, with or without those that follow it. */
export const openOn = async (folder: string, follows: boolean) => {
  const { log, logged } = writtenLog()
  const context = { ...contextOn(folder, { VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' }), log }
  const eventTypes = publishedEventsOf(kinds).map(({ type }) => type)
  const given = {
    personalData: tables.personalData,
    hasOwnKey: tables.hasOwnKey,
    eventTypes,
    deliver: () => Promise.resolve(),
    publicUrl: () => 'https://issuer.example',
    ...composeWebhooks(context.config, context.runtime),
  }
  const durable = await openDurableActors(
    context,
    (ports) =>
      kinds
        .map((kind) => kind.definition(givenPorts({ ...given, ...ports, runtime: context.runtime })))
        .map((definition) => ({ ...definition, forgetAfterMs: FORGET_AFTER_MS })),
    FOLLOWERS,
    (actors, shard) => heldIn({ actors, runtime: context.runtime }, shard),
  )
  const lists = follows ? followLists(context, durable, tables) : null
  if (follows) await openEvents(context, durable, tables.publish)
  const endpointPorts = { ...durable, allowPrivateTargets: true, eventTypes }
  const ask = (id: string, command: object, commandId: string) =>
    askById(durable.actors, id, command, { commandId, timeoutMs: 20_000, tenant: null })
  return {
    ...durable,
    logged,
    parked: (shard: number) => parkedIn(durable, shard),
    retry: (shard: number, id: string) => retryParked(durable, shard, id),
    metrics: () => context.metrics.registry.metrics(),
    setEndpoint: async (tenant: string, url: string) => {
      await durable.vault.makeTenant(tenant)
      return setWebhookEndpoint(endpointPorts, tenant, { url, eventTypes: null }, `set ${tenant}`)
    },
    /** The connection, ended by its holder if it is not to be `completed`. */
    connect: async (id: string, tenant: string, isCompleted = true) => {
      await durable.vault.makeTenant(tenant)
      await ask(
        id,
        {
          type: 'RequestConnection',
          atMs: Date.now(),
          tenant,
          invitationId: `inv${id.slice(3)}`,
          externalId: null,
          threadId: id,
          theirLabel: 'Phone',
          theirDid: 'did:x',
          theirService: { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] },
          ownSeed: 'seed',
          ownKey: 'own',
          protocol: 'didexchange/1.1',
          prefix: 'https://didcomm.org/',
        },
        `${id} request`,
      )
      const next = isCompleted
        ? { type: 'ReceiveConnectionComplete' }
        : { type: 'ReceiveConnectionProblem', code: 'response_not_accepted', text: '' }
      await ask(id, { ...next, atMs: Date.now() }, `${id} next`)
    },
    /** Whether its events may go with the next sweep. */
    isFolded: (id: string): boolean => {
      const file = new BetterSqlite3(join(folder, 'journal.db'), { readonly: true })
      const foldedSeq = file.prepare('SELECT folded_seq FROM actors WHERE name = ?').pluck().get(id)
      file.close()
      return Number(foldedSeq) > 0
    },
    listed: async (tenant: string): Promise<number | undefined> => {
      const filters = { states: [], externalId: null, fromMs: null, toMs: null, filters: {} }
      const page = { page: 1, pageSize: 25, q: null } as const
      return (await lists?.directory.list({ tenant, kind: 'connection', ...page, ...filters }))?.total
    },
    stop: () => context.lifecycle.end(() => undefined),
  }
}

/** Overwrites some bytes in the files of a service that is stopped; answers how often they were there. */
export const overwrite = (folder: string, from: string, to: string): number => {
  let found = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (!statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) {
      bytes.write(to, at)
      found++
    }
    writeFileSync(file, bytes)
  }
  return found
}

/** Takes the key of a record out of the key store of a service that is stopped; answers what puts it back. */
export const takeKeyAway = (folder: string, record: string): (() => void) => {
  const file = join(folder, 'vault', 'keys.sqlite')
  const changeTo = (from: string, to: string): void => {
    const keys = new BetterSqlite3(file)
    const { changes } = keys.prepare('UPDATE data_keys SET record = ? WHERE record = ?').run(to, from)
    keys.close()
    if (changes !== 1) throw new Error(`${changes} keys of ${from}`)
  }
  changeTo(record, `${record}-away`)
  return () => changeTo(`${record}-away`, record)
}
