import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AnonCredsService } from '../../src/anoncreds/anoncreds.ts'
import { silentObserver } from '../../src/anoncreds/engine-observer.ts'
import type { Catalogue, IssuingDefinition } from '../../src/actors/credential-definition/catalogue.ts'
import { exchangeKinds } from '../actors/exchange-world.ts'
import { givenPorts } from '../actors/given-ports.ts'
import { actorsOf } from '../host/parts/actors-that.ts'
import { kinds } from '../../src/actors/index.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { deliverTo } from '../../src/didcomm/deliver.ts'
import { createKeyPair, seedOf } from '../../src/didcomm/keys.ts'
import { ProblemReporter } from '../../src/didcomm/problem-reporter.ts'
import { invitationMessage, invitationUrl } from '../../src/actors/invitation/messages.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { IndyLedger } from '../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../src/ledger/sandbox/identities.ts'
import { startSandboxPool } from '../../src/ledger/sandbox/pool.ts'
import { signerFromSeed } from '../../src/ledger/signer.ts'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { MemoryJournal } from '../host/parts/memory-journal.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import type { TestHost } from '../host/parts/open-host.ts'
import { openHost } from '../host/parts/open-host.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The exchange rooms put together over a real ledger, real cryptography and real HTTP; journal and vault in memory. */
export const startSmallService = async () => {
  const poolOptions = {
    folder: temporaryFolder('small-service'),
    host: '127.0.0.1',
    firstPort: await reservePorts(4),
    onBug: (error: unknown) => {
      throw error
    },
  }
  let pool = await startSandboxPool(poolOptions)
  const ledger = new IndyLedger({
    namespace: 'sandbox',
    genesis: pool.genesis,
    endorser: signerFromSeed(pool.endorser.seed),
    callTimeoutMs: 10_000,
    callsMax: 1000,
    cachedObjectsMax: 1000,
  })
  const anoncreds = new AnonCredsService({ engine: 'auto', workers: 1, queueMax: 1000 }, silentObserver)
  const published = await publish(ledger, anoncreds)
  const runtime = testRuntime()
  const outbound = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 16 })
  let base = ''
  let host: TestHost
  const actors = actorsOf(() => host.host)
  const messagesSent: string[] = []
  const deliver = deliverTo({
    newId: randomUUID,
    send: async (url, body, signal) => {
      const headers = { 'Content-Type': 'application/didcomm-envelope-enc' }
      const limits = { timeoutMs: 10_000, answerBytesMax: 1000 }
      const { status } = await outbound.post({ url, headers, body, ...limits, signal })
      if (status < 200 || status > 299) throw new Error(`the wallet answered ${status}`)
      messagesSent.push(url)
    },
  })
  const { catalogue } = published
  const ports = givenPorts({ actors, deliver, catalogue, anoncreds, runtime, publicUrl: () => base })
  const definitions = exchangeKinds.map((kind) => kind.definition(ports))
  const journal = new MemoryJournal()
  const shards = Array.from({ length: 256 }, (_, shard) => shard)
  host = await openHost(journal, { definitions, vault: new MemoryVault(), runtime, shards })
  const problems: string[] = []
  const reporter = new ProblemReporter(async (_, message) => void problems.push(message))
  const receive = new KindTables(kinds).receiverOf({ actors, runtime, reporter })
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const address = (request.url ?? '').split('/').at(-1) ?? ''
      const received = await receive(address, Buffer.concat(chunks).toString('utf8'))
      response.writeHead(received === 'accepted' ? 202 : 400).end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let asked = 0
  const ask = <Reply = Record<string, never>>(actor: string, command: object): Promise<Reply> =>
    actors.ask<Reply>(actor, command, { commandId: `test-${++asked}`, timeoutMs: 5000, tenant: null })
  return {
    base,
    actors,
    genesis: pool.genesis,
    stopLedger: () => pool[Symbol.asyncDispose](),
    startLedger: async (): Promise<void> => {
      pool = await startSandboxPool(poolOptions)
    },
    runtime,
    problems,
    ask,
    definition: published.issuing,
    connectionIds: () => [...journal.events.keys()].filter((actor) => actor.startsWith('con_')),
    messagesSent,
    invite: (label: string) => invite(ask, base, label),
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await host.host[Symbol.asyncDispose]()
      outbound[Symbol.dispose]()
      await anoncreds[Symbol.asyncDispose]()
      await ledger[Symbol.asyncDispose]()
      await pool[Symbol.asyncDispose]()
    },
  }
}

const publish = async (
  ledger: IndyLedger,
  anoncreds: AnonCredsService,
): Promise<{ issuing: IssuingDefinition; catalogue: Catalogue }> => {
  const author = identityFromSeed(Buffer.alloc(32, 42))
  await ledger.registerIdentity(author)
  const attributes = ['name', 'age', 'expiresAt']
  const schema = await ledger.publishSchema(signerFromSeed(author.seed), {
    name: 'person',
    version: '1.0',
    attributes,
  })
  const order = { schemaId: schema.id, issuerId: author.did, tag: 'default', attributes }
  const made = await anoncreds.generateDefinition('tenant', order)
  const { value } = JSON.parse(made.credentialDefinition) as { value: Record<string, unknown> }
  const definition = await ledger.publishDefinition(signerFromSeed(author.seed), {
    schemaSeqNo: schema.seqNo,
    tag: 'default',
    value,
  })
  const issuing = {
    catalogueId: 'def_00aaaaaaaaaa',
    ledgerId: definition.id,
    schemaLedgerId: schema.id,
    attributes,
    publicPart: made.credentialDefinition,
    keyCorrectnessProof: made.keyCorrectnessProof,
  }
  const schemaText = JSON.stringify({
    issuerId: author.did,
    name: 'person',
    version: '1.0',
    attrNames: attributes,
  })
  const catalogue: Catalogue = {
    definition: async () => ({ status: 'published', issuing }),
    privatePart: async () => made.credentialDefinitionPrivate,
    forVerifying: async (_schemaId, definitionId) =>
      definitionId === definition.id ? { schema: schemaText, definition: made.credentialDefinition } : null,
  }
  return { issuing, catalogue }
}

const invite = async (
  ask: (actor: string, command: object) => Promise<unknown>,
  base: string,
  label: string,
): Promise<{ invitationId: string; url: string }> => {
  const own = createKeyPair()
  const invitationId = `inv_00${randomUUID().replaceAll('-', '')}`
  await ask(invitationId, {
    type: 'CreateInvitation',
    atMs: Date.now(),
    tenant: 'ten_00aaaaaaaa',
    label,
    multiUse: true,
    alias: null,
    externalId: null,
    ownSeed: seedOf(own).toString('base64url'),
    ownKey: own.publicKeyBase58,
  })
  const facts = {
    id: invitationId,
    label,
    endpoint: `${base}/didcomm/${invitationId}`,
    recipientKey: own.publicKeyBase58,
    routingKeys: [],
  }
  return { invitationId, url: invitationUrl(`${base}/i/${invitationId}`, invitationMessage(facts)) }
}
