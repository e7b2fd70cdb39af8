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
import type { AgentContext, DependencyManager, Module } from '@credo-ts/core'
import { Agent, ConsoleLogger, DidsModule, InjectionSymbols, Kms, LogLevel } from '@credo-ts/core'
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
import Database from 'better-sqlite3'
import WebSocket from 'ws'
import { InboundHttp } from './inbound-http.ts'
import { KeyStore } from './key-store.ts'
import { SodiumKeyManagement } from './key-management.ts'
import { seedStorageVersion } from './storage-version.ts'
import { SqliteRecordStorage } from './record-storage.ts'
import { NoFiles } from './no-files.ts'
import { waitForLedgers } from './patient-ledger.ts'
import { fetchOrFail, PersistentHttp } from './persistent-http.ts'
import { ThreadOrder } from './thread-order.ts'

export type WalletOptions = {
  readonly label: string
  /** `:memory:` for a wallet that is forgotten. */
  readonly databaseFile: string
  readonly host: string
  readonly port: number
  readonly indyNamespace: string
  readonly genesis: string
  readonly verbose: boolean
}

/** Where messages come in. */
export type Inbound = {
  /** Answers with the endpoint. */
  listen(port: number): Promise<string>
  start(context: AgentContext): Promise<void>
  stop(): Promise<void>
  /** As if the phone were off. */
  offline: boolean
}

/** The ways of other wallets in the field, older ones among them. */
export type WalletWays = {
  readonly inbound?: Inbound
  /** The form of its DIDs. */
  readonly peerNumAlgo?: 1 | 2 | 4
  /** `both`: as those have it that came from the older one to the newer. */
  readonly formats?: 'anoncreds' | 'hlindy' | 'both'
  /** The beginning that types of messages had once. */
  readonly hasOldPrefix?: boolean
}

/**
 * A real Credo wallet with its own storage and keys: what a phone would run, reachable over HTTP. The proof format and the
 * ways are exchanged only by tests, for wallets that cheat and for those of other people.
 */
export const createWallet = async (
  options: WalletOptions,
  proofFormat = new AnonCredsDidCommProofFormatService(),
  ways: WalletWays = {},
) => {
  const database = new Database(options.databaseFile)
  database.pragma('journal_mode = WAL')
  const inbound: Inbound = ways.inbound ?? new InboundHttp(options.host)
  const endpoint = await inbound.listen(options.port)
  const agent = new Agent({
    config: {
      logger: new ConsoleLogger(options.verbose ? LogLevel.debug : LogLevel.off),
      autoUpdateStorageOnStartup: false,
    },
    dependencies: {
      FileSystem: NoFiles,
      EventEmitterClass: EventEmitter,
      fetch: fetchOrFail,
      WebSocketClass: WebSocket,
    },
    modules: {
      kms: new Kms.KeyManagementModule({ backends: [new SodiumKeyManagement(new KeyStore(database))] }),
      storage: storageModule(new SqliteRecordStorage(database)),
      didcomm: didcommModule(endpoint, inbound, proofFormat, ways),
      dids: new DidsModule({ resolvers: [new IndyVdrIndyDidResolver(), new IndyVdrSovDidResolver()] }),
      anoncreds: new AnonCredsModule({
        registries: [new IndyVdrAnonCredsRegistry()],
        anoncreds,
        autoCreateLinkSecret: false,
      }),
      indyVdr: new IndyVdrModule({
        indyVdr,
        networks: [
          {
            indyNamespace: options.indyNamespace,
            isProduction: false,
            genesisTransactions: options.genesis,
            connectOnStartup: true,
          },
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
    endpoint,
    inbound,
    async close(): Promise<void> {
      stopping.abort()
      await agent.shutdown()
      database.close()
    },
  }
}

export type Wallet = Awaited<ReturnType<typeof createWallet>>

const storageModule = (storage: SqliteRecordStorage<never>): Module => ({
  register(dependencies: DependencyManager): void {
    dependencies.registerInstance(InjectionSymbols.StorageService, storage)
  },
})

const didcommModule = (
  endpoint: string,
  inbound: Inbound,
  proofFormat: AnonCredsDidCommProofFormatService,
  { peerNumAlgo = 4, formats = 'anoncreds', hasOldPrefix }: WalletWays,
) =>
  new DidCommModule({
    endpoints: [endpoint],
    useDidSovPrefixWhereAllowed: hasOldPrefix ?? false,
    transports: { inbound: [inbound], outbound: [new PersistentHttp()] },
    // Without it a wallet and its peer that answer each other over HTTP wait for each other.
    processDidCommMessagesConcurrently: true,
    connections: {
      autoAcceptConnections: true,
      peerNumAlgoForDidExchangeRequests: peerNumAlgo,
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
    messagePickup: false,
    mediator: false,
    mediationRecipient: false,
  })

/** The older service has another type, which nobody who uses the wallet has to tell apart. */
const inFormats = <Newer>(
  formats: NonNullable<WalletWays['formats']>,
  older: unknown,
  newer: Newer,
): [Newer] => {
  const services = { anoncreds: [newer], hlindy: [older], both: [older, newer] }[formats]
  return services as unknown as [Newer]
}
