import { AnonCredsRefused, type AnonCreds, type PresentationInput } from '../../src/ports/anoncreds.ts'
import type { Catalogue } from '../../src/actors/credential-definition/catalogue-port.ts'
import { connectionActor } from '../../src/actors/connection/effects.ts'
import { credentialActor, type ExchangePorts } from '../../src/actors/credential/effects.ts'
import { invitationActor } from '../../src/actors/invitation/kind.ts'
import { proofActor } from '../../src/actors/proof/effects.ts'
import type { Messenger } from '../../src/ports/messenger.ts'
import { actorsOf } from '../host/parts/actors-that.ts'
import type { TestHost } from '../host/parts/open-host.ts'
import { openHost } from '../host/parts/open-host.ts'
import { MemoryJournal } from '../host/parts/memory-journal.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'

export const tenant = 'ten_00aaaaaaaa'
export const invitationId = 'inv_00aaaaaaaa'
export const connectionId = 'con_00aaaaaaaa'
export const credentialId = 'cre_00aaaaaaaa'
export const proofId = 'pro_00aaaaaaaa'

export const issuing = {
  catalogueId: 'def_00aaaaaaaa',
  ledgerId: 'D:3:CL:1:default',
  schemaLedgerId: 'D:2:degree:1.0',
  attributes: ['name'],
  publicPart: '{"public":1}',
  keyCorrectnessProof: '{"c":"1"}',
}

/** Exchange actors on a real host; wallets, catalogue and cryptography are played by what each test says. */
export const exchangeWorld = async () => {
  const sent: { message: string; facts: Record<string, unknown> }[] = []
  const world = {
    walletAway: false,
    requestIsBad: false,
    verified: true,
    issuerKnown: true,
    signatures: 0,
    verifications: [] as PresentationInput[],
  }
  const take = (message: string) => async (_to: unknown, facts: object) => {
    if (world.walletAway) throw new Error('away')
    sent.push({ message, facts: { ...facts } })
  }
  const messenger: Messenger = {
    connectionResponse: take('response'),
    credentialOffer: take('offer'),
    credential: take('credential'),
    proofRequest: take('proof-request'),
    proofAck: take('proof-ack'),
    problem: take('problem'),
  }
  const catalogue: Catalogue = {
    definition: async () => ({ status: 'published', issuing }),
    privatePart: async () => '{"private":1}',
    forVerifying: async () => (world.issuerKnown ? { schema: '{}', definition: '{}' } : null),
  }
  const anoncreds: AnonCreds = {
    createOffer: () => Promise.reject(new Error('offers are made from the definition')),
    createCredential: async (_tenant, { values }) => {
      if (world.requestIsBad) throw new AnonCredsRefused('no')
      world.signatures += 1
      return JSON.stringify({ signed: values, n: world.signatures })
    },
    verifyPresentation: async (_tenant, input) => {
      world.verifications.push(input)
      return world.verified
    },
    generateDefinition: () => Promise.reject(new Error('not here')),
  }
  const runtime = testRuntime()
  let host: TestHost
  const actors = actorsOf(() => host.host)
  const ports: ExchangePorts = { actors, messenger, catalogue, anoncreds, runtime }
  const definitions = [connectionActor(ports), credentialActor(ports), proofActor(ports), invitationActor()]
  const journal = new MemoryJournal()
  const vault = new MemoryVault()
  const open = async (): Promise<void> => {
    host = await openHost(journal, { definitions, vault, runtime })
  }
  await open()
  let asked = 0
  const ask = <Reply = Record<string, unknown>>(
    actor: string,
    command: object,
    commandId = `test-${++asked}`,
  ) => host.host.ask<Reply>(actor, command, { commandId, timeoutMs: 5000, tenant })
  const restart = async (): Promise<void> => {
    await host.host[Symbol.asyncDispose]()
    await open()
  }
  return { world, sent, ask, runtime, journal, vault, restart, close: () => host.host[Symbol.asyncDispose]() }
}

export type ExchangeWorld = Awaited<ReturnType<typeof exchangeWorld>>

export const connect = async ({ ask }: ExchangeWorld): Promise<void> => {
  const created = {
    tenant,
    label: 'Registry',
    multiUse: false,
    alias: null,
    externalId: null,
    ownSeed: 's',
    ownKey: 'k',
  }
  await ask(invitationId, { type: 'CreateInvitation', atMs: 1, ...created })
  await ask(connectionId, {
    type: 'RequestConnection',
    atMs: Date.now(),
    tenant,
    invitationId,
    externalId: null,
    threadId: 'thread',
    theirLabel: 'Phone of Ada',
    theirDid: 'did:peer:4z',
    theirService: { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] },
    ownSeed: 'seed',
    ownKey: 'own',
  })
  await ask(connectionId, { type: 'ReceiveConnectionComplete', atMs: Date.now() })
}

export const offer = ({ ask, runtime }: ExchangeWorld) =>
  ask(credentialId, {
    type: 'OfferCredential',
    atMs: runtime.now(),
    tenant,
    connectionId,
    externalId: 'order-1',
    definition: { catalogueId: issuing.catalogueId, ledgerId: issuing.ledgerId },
    threadId: credentialId,
    nonce: '42',
    attributes: { name: 'Ada Lovelace' },
  })
