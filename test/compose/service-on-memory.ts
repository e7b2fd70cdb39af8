import type { Actors } from '../../src/ports/actors.ts'
import { askById } from '../host/parts/ask-by-id.ts'
import { kinds } from '../../src/actors/index.ts'
import type { Directory, DirectoryRow } from '../../src/ports/directory.ts'
import type { KindPorts } from '../../src/actors/kind-ports.ts'
import { actorsOf } from '../host/parts/actors-that.ts'
import { isRefused, type Refused } from '../../src/domain/decider.ts'
import { createCatalogue } from '../../src/actors/credential-definition/catalogue.ts'
import { createTenant } from '../../src/actors/tenant/commands.ts'
import { newNonce } from '../../src/actors/ids.ts'
import { publishDefinition } from '../../src/actors/credential-definition/publish.ts'
import { credentialDefinition } from '../../src/actors/credential-definition/rules.ts'
import { publishSchema } from '../../src/actors/schema/publish.ts'
import { schema } from '../../src/actors/schema/rules.ts'
import { ActiveTenants, readTenant } from '../../src/actors/tenant/read.ts'
import { publishedEventsOf } from '../../src/actors/published-events.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { endpointLimitDefaults } from '../../src/actors/webhook-delivery/endpoint-limiter.ts'
import { RunningAttempts } from '../../src/actors/webhook-delivery/running-attempts.ts'
import { openTokenTags } from '../../src/actors/tokens.ts'
import { givenPorts } from '../actors/given-ports.ts'
import { MemoryJournal } from '../host/parts/memory-journal.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { openHost } from '../host/parts/open-host.ts'
import { playedFaces } from './played-faces.ts'
import { testRuntime, type TestRuntime } from '../host/parts/test-runtime.ts'
import type { Host } from '../../src/host/host.ts'
import type { CopiesElsewhere } from '../../src/ports/hot-facts.ts'
import type { LedgerAgreement } from '../../src/ports/ledger.ts'
import type { Runtime } from '../../src/ports/runtime.ts'

const DID = 'V4SGRU86Z58d6TV7PBUe6f'
const SHARDS = Array.from({ length: 256 }, (_, shard) => shard)

/** How all of a service asks its host; without it directly. */
export type Through = (host: Host, runtime: Runtime) => Actors

/** What a service shares with another one beside it; left out, it has all of it to itself. */
export type BesideOthers = {
  readonly runtime?: TestRuntime
  readonly journal?: MemoryJournal
  readonly vault?: MemoryVault
  readonly shards?: readonly number[]
  readonly copies?: CopiesElsewhere
}

/** All kinds of actors on a real host over all shards; ledger, keys and wallets answer at once and say yes. */
export const serviceOnMemory = async (through: Through = (host) => host, beside: BesideOthers = {}) => {
  const { runtime = testRuntime(), shards = SHARDS, copies } = beside
  const opened: { host: Actors | null } = { host: null }
  const actors = actorsOf(() => {
    if (opened.host === null) throw new Error('the host is not open yet')
    return opened.host
  })
  const reads = { schema: 0, definition: 0 }
  /** How many of the next ones never come to an end. */
  const hold = { identities: 0, definitions: 0 }
  const held = (what: keyof typeof hold): Promise<never> | null => {
    if (hold[what] === 0) return null
    hold[what] -= 1
    return new Promise(() => undefined)
  }
  const namespace = 'sandbox'
  const agreement: { now: LedgerAgreement | null } = {
    now: {
      version: '2.0',
      text: 'Every author declares …',
      digest: 'a'.repeat(64),
      mechanisms: { service_agreement: 'By a contract.' },
    },
  }
  const ledger = {
    namespace,
    readAgreement: () => Promise.resolve(agreement.now),
    registerIdentity: () => held('identities') ?? Promise.resolve(),
    publishSchema: (_: unknown, facts: { name: string; version: string; attributes: readonly string[] }) =>
      Promise.resolve({ ...facts, id: `${DID}:2:${facts.name}:${facts.version}`, seqNo: 7 }),
    publishDefinition: (_: unknown, made: { schemaSeqNo: number; tag: string; value: object }) =>
      Promise.resolve({ ...made, id: `${DID}:3:CL:${made.schemaSeqNo}:${made.tag}`, value: {} }),
    readSchema: (id: string) => {
      reads.schema += 1
      return Promise.resolve(
        id.includes('none') ? null : { id, seqNo: 7, name: 'person', version: '1.0', attributes: ['name'] },
      )
    },
    readDefinition: (id: string) => {
      reads.definition += 1
      return Promise.resolve({
        id,
        schemaSeqNo: id.includes(':8:') ? 8 : 7,
        tag: 't',
        value: { primary: {} },
      })
    },
  }
  const anoncreds = {
    generateDefinition: () =>
      held('definitions') ??
      Promise.resolve({
        credentialDefinition: '{"value":{}}',
        credentialDefinitionPrivate: 'private',
        keyCorrectnessProof: '{}',
      }),
  } as unknown as KindPorts['anoncreds']
  const askTimeoutMs = 5_000
  const catalogue = createCatalogue({ ledger, cachedMax: 2 })(actors)
  const signerOf = () => ({ did: DID, sign: (input: Uint8Array) => input })
  const { vault = new MemoryVault() } = beside
  const publicUrl = () => 'https://issuer.example'
  const deliver = () => Promise.resolve()
  const crypto = { ledger, anoncreds, catalogue, signerOf, vault }
  const lists = { directory: listing([]) }
  const listsOf: KindPorts['lists'] = {
    list: (query) => lists.directory.list(query),
    listHere: (query) => lists.directory.list(query),
    caughtUpWith: () => Promise.resolve(),
  }
  const bodies = new MemoryBodies()
  const { faceVendors, imageRoom, sandboxFaces } = playedFaces(runtime)
  const faces = { bodies, faceVendors }
  const { personalData, hasOwnKey } = new KindTables(kinds)
  const webhooks = {
    personalData,
    hasOwnKey,
    eventTypes: publishedEventsOf(kinds).map(({ type }) => type),
    endpointLimits: endpointLimitDefaults,
    runningAttempts: new RunningAttempts(),
    webhookSender: {
      send: () => Promise.resolve({ status: 200, durationMs: 1, error: null, answer: 'thanks' }),
    },
  }
  const given = givenPorts({
    actors,
    runtime,
    ...crypto,
    ...faces,
    ...webhooks,
    deliver,
    publicUrl,
    lists: listsOf,
  })
  const registered = kinds.map((kind) => kind.definition(given))
  const { journal = new MemoryJournal() } = beside
  const { host } = await openHost(journal, {
    definitions: registered,
    vault,
    bodies,
    runtime,
    shards,
    ...(copies && { copies }),
  })
  opened.host = through(host, runtime)
  const identityOf = () => ({ did: DID, verkey: 'V' })
  const activeTenants = new ActiveTenants({ actors })
  const tokenTags = await openTokenTags(vault)
  const useCases = {
    actors,
    runtime,
    askTimeoutMs,
    catalogue,
    identityOf,
    newNonce,
    namespace,
    ledger,
    activeTenants,
    tokenTags,
    vault,
    imageRoom,
    ...faces,
  }
  const close = () => host[Symbol.asyncDispose]()
  return {
    useCases,
    actors,
    runtime,
    reads,
    hold,
    agreement,
    journal,
    vault,
    bodies,
    sandboxFaces,
    lists,
    close,
  }
}

export type ServiceOnMemory = Awaited<ReturnType<typeof serviceOnMemory>>

const until = async <Value>(read: () => Promise<Value | null>): Promise<Value> => {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const value = await read()
    if (value !== null) return value
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('not in time')
}

/** A tenant with a published definition, and a connection that is ready. */
export const furnished = async ({ useCases, actors, runtime }: ServiceOnMemory, unique = 'aaaaaaaaaa') => {
  const made = await createTenant(useCases, 'Registry')
  if (isRefused(made)) throw new Error(made.reason)
  const tenant = made.id
  await until(async () => {
    const read = await readTenant(useCases, tenant)
    return !isRefused(read) && read.registered ? true : null
  })
  const attributes = ['name', 'expiresAt']
  const ordered = await publishSchema(useCases, { tenant, name: 'person', version: '1.0', attributes })
  if (isRefused(ordered)) throw new Error(ordered.reason)
  const isPublished = (record: { readonly status: string } | Refused) =>
    !isRefused(record) && record.status === 'published' ? true : null
  await until(async () => isPublished(await actors.read(schema.ref(ordered.id))))
  const definition = await publishDefinition(useCases, { tenant, schemaId: ordered.id, tag: 'default' })
  if (isRefused(definition)) throw new Error(definition.reason)
  await until(async () => isPublished(await actors.read(credentialDefinition.ref(definition.id))))
  const connectionId = `con_00${unique}`
  const theirService = { endpoint: 'https://wallet.example', recipientKeys: ['key'], routingKeys: [] }
  const request = {
    type: 'RequestConnection',
    atMs: runtime.now(),
    tenant,
    invitationId: `inv_00${unique}`,
    externalId: 'Guest 1',
    threadId: 't',
    theirLabel: 'Phone',
    theirDid: 'did',
    theirService,
    ownSeed: 'seed',
    ownKey: 'key',
    protocol: 'didexchange/1.1',
    prefix: 'https://didcomm.org/',
  }
  const options = { timeoutMs: 5_000, tenant }
  await askById(actors, connectionId, request, { ...options, commandId: `request ${unique}` })
  const complete = { type: 'ReceiveConnectionComplete', atMs: runtime.now() }
  await askById(actors, connectionId, complete, { ...options, commandId: `complete ${unique}` })
  return { tenant, schemaId: ordered.id, definitionId: definition.id, connectionId }
}

export const furnishedService = async () => {
  const service = await serviceOnMemory()
  return { service, at: await furnished(service) }
}

/** Lists what it was given. */
export const listing = (rows: readonly DirectoryRow[], seen: unknown[] = []): Directory => ({
  list: (query) => {
    seen.push(query)
    return Promise.resolve({ rows, total: rows.length })
  },
})
