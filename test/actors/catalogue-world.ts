import { AnonCredsRefused } from '../../src/ports/anoncreds.ts'
import { definitionActor } from '../../src/actors/credential-definition/effects.ts'
import { templateActor } from '../../src/actors/proof-template/kind.ts'
import { schemaActor } from '../../src/actors/schema/kind.ts'
import { LedgerRefused, LedgerUnavailable } from '../../src/ports/ledger.ts'
import { actorsOf } from '../host/parts/actors-that.ts'
import { apiKeyActor } from '../../src/actors/api-key/kind.ts'
import { tenantActor } from '../../src/actors/tenant/effects.ts'
import { MemoryJournal } from '../host/parts/memory-journal.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { openHost, type TestHost } from '../host/parts/open-host.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'

export const tenantId = 'ten_00aaaaaaaa'
export const schemaId = 'sch_00aaaaaaaa'
export const definitionId = 'def_00aaaaaaaa'
export const orderedSchema = {
  type: 'PublishSchema',
  atMs: 1,
  tenant: tenantId,
  name: 'person',
  version: '1.0',
  attributes: ['name', 'expiresAt'],
}
export const orderedDefinition = {
  type: 'PublishDefinition',
  atMs: 1,
  tenant: tenantId,
  schema: {
    id: schemaId,
    ledgerId: 'D:2:person:1.0',
    seqNo: 7,
    name: 'person',
    version: '1.0',
    attributes: ['name', 'expiresAt'],
  },
  tag: 'default',
}

/** Actors of organisations and their catalogue on a real host; the ledger is played by what each test says. */
export const catalogueWorld = async () => {
  const world = { away: false, refuses: false, badKeys: false }
  const written: string[] = []
  const answer = <Value>(what: string, value: Value): Promise<Value> => {
    if (world.away) return Promise.reject(new LedgerUnavailable('away'))
    if (world.refuses) return Promise.reject(new LedgerRefused('the ledger says no'))
    written.push(what)
    return Promise.resolve(value)
  }
  const ledger = {
    registerIdentity: ({ did }: { did: string }) => answer(`identity ${did}`, undefined),
    publishSchema: ({ did }: { did: string }, schema: { name: string; version: string }) =>
      answer(`schema by ${did}`, { ...schema, id: 'D:2:person:1.0', seqNo: 7, attributes: [] }),
    publishDefinition: (
      { did }: { did: string },
      order: { schemaSeqNo: number; tag: string; value: object },
    ) => answer(`definition by ${did}`, { ...order, id: 'D:3:CL:7:default', value: {} }),
  }
  const anoncreds = {
    generateDefinition: () =>
      world.badKeys
        ? Promise.reject(new AnonCredsRefused('no such attribute'))
        : Promise.resolve({
            credentialDefinition: '{"value":{"primary":{}}}',
            credentialDefinitionPrivate: 'private-part',
            keyCorrectnessProof: '{}',
          }),
  }
  const runtime = testRuntime()
  let host: TestHost
  const actors = actorsOf(() => host.host)
  const signerOf = (seed: string) => ({ did: `did-of-${seed}`, sign: (input: Uint8Array) => input })
  const ports = { actors, ledger, anoncreds, runtime, signerOf }
  const definitions = [
    tenantActor(ports),
    apiKeyActor(),
    schemaActor(ports),
    definitionActor(ports),
    templateActor(),
  ]
  const journal = new MemoryJournal()
  const vault = new MemoryVault()
  const open = async (): Promise<void> => {
    host = await openHost(journal, { definitions, vault, runtime })
  }
  await open()
  let asked = 0
  const ask = <Reply = Record<string, Record<string, unknown>>>(actor: string, command: object) =>
    actors.ask<Reply>(actor, command, { commandId: `test-${++asked}`, timeoutMs: 5_000, tenant: null })
  const createTenant = () =>
    ask(tenantId, { type: 'CreateTenant', atMs: 1, name: 'R', did: 'D', verkey: 'V', seed: 'secret-seed' })
  return {
    world,
    written,
    journal,
    actors,
    runtime,
    ask,
    createTenant,
    restart: async () => {
      await host.host[Symbol.asyncDispose]()
      await open()
    },
    close: () => host.host[Symbol.asyncDispose](),
  }
}

export type CatalogueWorld = Awaited<ReturnType<typeof catalogueWorld>>
