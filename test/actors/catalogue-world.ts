import type { KindPorts } from '../../src/actors/kind-ports.ts'
import { givenPorts } from './given-ports.ts'
import { AnonCredsRefused } from '../../src/ports/anoncreds.ts'
import { definitionKind } from '../../src/actors/credential-definition/index.ts'
import { endorsementKind } from '../../src/actors/endorsement/index.ts'
import { ledgerCeilingKind } from '../../src/actors/ledger-ceiling/index.ts'
import { templateKind } from '../../src/actors/proof-template/index.ts'
import { schemaKind } from '../../src/actors/schema/index.ts'
import { LedgerRefused, LedgerUnavailable } from '../../src/ports/ledger.ts'
import { apiKeyKind } from '../../src/actors/api-key/index.ts'
import { tenantKind } from '../../src/actors/tenant/index.ts'
import { kindsOnHost } from './kinds-on-host.ts'

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
  const world = {
    away: false,
    refuses: false,
    badKeys: false,
    keysWait: (begun: () => void): Promise<void> => Promise.resolve(begun()),
  }
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
    generateDefinition: async (_tenant: string, _order: unknown, begun: () => void) => {
      await world.keysWait(begun)
      if (world.badKeys) throw new AnonCredsRefused('no such attribute')
      return {
        credentialDefinition: '{"value":{"primary":{}}}',
        credentialDefinitionPrivate: 'private-part',
        keyCorrectnessProof: '{}',
      }
    },
  }
  const signerOf = (seed: string) => ({ did: `did-of-${seed}`, sign: (input: Uint8Array) => input })
  const host = await kindsOnHost(({ actors, runtime }) => {
    const crypto = { anoncreds: anoncreds as unknown as KindPorts['anoncreds'], signerOf }
    const ports = givenPorts({ actors, ledger, runtime, ...crypto })
    const kinds = [
      tenantKind,
      apiKeyKind,
      schemaKind,
      definitionKind,
      templateKind,
      endorsementKind,
      ledgerCeilingKind,
    ]
    return kinds.map(({ definition }) => definition(ports))
  })
  const ask = host.askAs(null)
  const createTenant = () =>
    ask(tenantId, { type: 'CreateTenant', atMs: 1, name: 'R', did: 'D', verkey: 'V', seed: 'secret-seed' })
  return { ...host, world, written, ask, createTenant }
}

export type CatalogueWorld = Awaited<ReturnType<typeof catalogueWorld>>
