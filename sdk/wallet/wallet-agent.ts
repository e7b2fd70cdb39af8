import { EventEmitter } from 'node:events'
// First of all packages: they register the native libraries, and Credo's modules take what is registered when they load.
import { anoncreds } from '@hyperledger/anoncreds-nodejs'
import { indyVdr } from '@hyperledger/indy-vdr-nodejs'
import {
  AnonCredsDidCommCredentialFormatService,
  AnonCredsDidCommProofFormatService,
  AnonCredsModule,
  LegacyIndyDidCommCredentialFormatService,
  LegacyIndyDidCommProofFormatService,
} from '@credo-ts/anoncreds'
import type { AgentDependencies } from '@credo-ts/core'
import { Agent, ConsoleLogger, DidsModule, Kms, LogLevel, PeerDidNumAlgo } from '@credo-ts/core'
import type {
  DidCommInboundTransport,
  DidCommMediationRecipientModule,
  DidCommOutboundTransport,
} from '@credo-ts/didcomm'
import {
  DidCommAutoAcceptCredential,
  DidCommAutoAcceptProof,
  DidCommCredentialV2Protocol,
  DidCommModule,
  DidCommProofV2Protocol,
} from '@credo-ts/didcomm'
import {
  IndyVdrAnonCredsRegistry,
  IndyVdrIndyDidResolver,
  IndyVdrModule,
  IndyVdrPoolService,
  IndyVdrSovDidResolver,
} from '@credo-ts/indy-vdr'
import type Database from 'better-sqlite3'
import { KeyStore } from './key-store.ts'
import { SodiumKeyManagement } from './key-management.ts'
import { NoFiles } from './no-files.ts'
import { waitForLedgers } from './patient-ledger.ts'
import { SqliteRecordStorage } from './record-storage.ts'
import { storageModule } from './storage-module.ts'
import { seedStorageVersion } from './storage-version.ts'
import { ThreadOrder } from './thread-order.ts'

/** The ledger that a wallet reads. */
export type Network = { readonly indyNamespace: string; readonly genesis: string }

type Mediation = NonNullable<ConstructorParameters<typeof DidCommMediationRecipientModule>[0]>

/** How messages come to the wallet and leave it. */
export type Ways = Pick<AgentDependencies, 'fetch' | 'WebSocketClass'> & {
  /** Where others reach it; none for a wallet that fetches its messages. */
  readonly endpoints: string[]
  readonly inbound: DidCommInboundTransport[]
  readonly outbound: DidCommOutboundTransport[]
  readonly mediation: Mediation | false
}

/** The forms of the names that a wallet can give itself. */
const didForms = {
  'did:peer:1': PeerDidNumAlgo.GenesisDoc,
  'did:peer:2': PeerDidNumAlgo.MultipleInceptionKeyWithoutDoc,
  'did:peer:4': PeerDidNumAlgo.ShortFormAndLongForm,
} as const

/** What wallets in the field do differently; the newest by default. */
export type Habits = {
  readonly didForm?: keyof typeof didForms
  /** `both`: as those have it that came from the older one to the newer. */
  readonly formats?: 'anoncreds' | 'hlindy' | 'both'
  /** The beginning that types of messages had once. */
  readonly hasOldPrefix?: boolean
}

export type AgentOptions = Network & Habits & { readonly verbose: boolean }

/** A real Credo agent with the wallet's own storage and keys, ready for its first message. */
export const openAgent = async (
  database: Database.Database,
  { indyNamespace, genesis, verbose, ...habits }: AgentOptions,
  ways: Ways,
  proofFormat: AnonCredsDidCommProofFormatService = new AnonCredsDidCommProofFormatService(),
) => {
  const { fetch, WebSocketClass } = ways
  const agent = new Agent({
    config: {
      logger: new ConsoleLogger(verbose ? LogLevel.debug : LogLevel.off),
      autoUpdateStorageOnStartup: false,
    },
    dependencies: { FileSystem: NoFiles, EventEmitterClass: EventEmitter, fetch, WebSocketClass },
    modules: {
      kms: new Kms.KeyManagementModule({ backends: [new SodiumKeyManagement(new KeyStore(database))] }),
      storage: storageModule(new SqliteRecordStorage(database)),
      didcomm: didcommModule(ways, proofFormat, habits),
      dids: new DidsModule({ resolvers: [new IndyVdrIndyDidResolver(), new IndyVdrSovDidResolver()] }),
      anoncreds: new AnonCredsModule({
        registries: [new IndyVdrAnonCredsRegistry()],
        anoncreds,
        autoCreateLinkSecret: false,
      }),
      indyVdr: new IndyVdrModule({
        indyVdr,
        networks: [
          { indyNamespace, isProduction: false, genesisTransactions: genesis, connectOnStartup: true },
        ],
      }),
    },
  })
  await seedStorageVersion(agent.context)
  const stopping = new AbortController()
  waitForLedgers(agent.dependencyManager.resolve(IndyVdrPoolService), stopping.signal)
  const order = new ThreadOrder()
  agent.didcomm.registerMessageHandlerMiddleware(({ message }, next) => order.run(message.threadId, next))
  await agent.initialize()
  // Made before the first offers: two that arrive at once in a fresh wallet would each make one, and break it.
  const [secret] = await agent.modules.anoncreds.getLinkSecretIds()
  if (secret === undefined) await agent.modules.anoncreds.createLinkSecret({ setAsDefault: true })
  return {
    agent,
    async close(): Promise<void> {
      stopping.abort()
      await agent.shutdown()
    },
  }
}

export type WalletAgent = Awaited<ReturnType<typeof openAgent>>['agent']

const didcommModule = (
  { endpoints, inbound, outbound, mediation }: Ways,
  proofFormat: AnonCredsDidCommProofFormatService,
  { didForm = 'did:peer:4', formats = 'anoncreds', hasOldPrefix = false }: Habits,
) =>
  new DidCommModule({
    endpoints,
    useDidSovPrefixWhereAllowed: hasOldPrefix,
    transports: { inbound, outbound },
    // Without it a wallet and its peer that answer each other over HTTP wait for each other.
    processDidCommMessagesConcurrently: true,
    connections: {
      autoAcceptConnections: true,
      peerNumAlgoForDidExchangeRequests: didForms[didForm],
    },
    credentials: {
      autoAcceptCredentials: DidCommAutoAcceptCredential.Never,
      credentialProtocols: [
        new DidCommCredentialV2Protocol({
          credentialFormats: inFormats(
            formats,
            new LegacyIndyDidCommCredentialFormatService(),
            new AnonCredsDidCommCredentialFormatService(),
          ),
        }),
      ],
    },
    proofs: {
      autoAcceptProofs: DidCommAutoAcceptProof.Never,
      proofProtocols: [
        new DidCommProofV2Protocol({
          proofFormats: inFormats(formats, new LegacyIndyDidCommProofFormatService(), proofFormat),
        }),
      ],
    },
    basicMessages: false,
    messagePickup: mediation !== false,
    mediator: false,
    mediationRecipient: mediation,
  })

/** The older service has another type, which nobody who uses the wallet has to tell apart. */
const inFormats = <Newer>(formats: NonNullable<Habits['formats']>, older: unknown, newer: Newer): [Newer] => {
  const services = { anoncreds: [newer], hlindy: [older], both: [older, newer] }[formats]
  return services as unknown as [Newer]
}
