import {
  AnonCredsDidCommCredentialFormatService,
  AnonCredsDidCommProofFormatService,
  AnonCredsModule,
} from '@credo-ts/anoncreds'
import type { DependencyManager, Module, StorageService } from '@credo-ts/core'
import {
  Agent,
  CacheModule,
  ConsoleLogger,
  DidsModule,
  InjectionSymbols,
  InMemoryLruCache,
  JwkDidResolver,
  KeyDidResolver,
  Kms,
  LogLevel,
  PeerDidResolver,
  StorageVersionRecord,
} from '@credo-ts/core'
import type { DidCommMessageSentEvent } from '@credo-ts/didcomm'
import {
  DidCommAutoAcceptCredential,
  DidCommAutoAcceptProof,
  DidCommCredentialV2Protocol,
  DidCommEventTypes,
  DidCommMediatorPickupStrategy,
  DidCommModule,
  DidCommProofV2Protocol,
} from '@credo-ts/didcomm'
import { IndyVdrModule, IndyVdrPoolService } from '@credo-ts/indy-vdr'
import type { Platform } from '../ports.ts'
import type { LedgerFacts } from '../network/ledger-facts.ts'
import { LedgerProxy } from '../network/ledger-proxy.ts'
import type { Questions } from '../network/questions.ts'
import type { RowStore } from '../rows/row-store.ts'
import { EventEmitterClass } from './event-emitter.ts'
import { KeptLedger } from './kept-ledger.ts'
import { KeyManagement } from './key-management.ts'
import { KeyStore } from './key-store.ts'
import { LedgerWays } from './ledger-ways.ts'
import { nothingElse } from './nothing-else.ts'
import { OutgoingMessages } from './outgoing-messages.ts'
import { RecordStorage } from './record-storage.ts'

/** Names of ledgers and documents, which are found out again after a start. */
const CACHED_MAX = 500

/** Credo, with the wallet's own storage, keys and way out. It starts nothing by itself. */
export const openAgent = async (
  rows: RowStore,
  { cryptography, libraries, clock }: Pick<Platform, 'cryptography' | 'libraries' | 'clock'>,
  ledgerFacts: Pick<LedgerFacts, 'indyNamespace' | 'genesis' | 'vdrProxyUrl'>,
  questions: Pick<Questions, 'ask'>,
) => {
  const outgoing = new OutgoingMessages()
  const { genesis, vdrProxyUrl: url } = ledgerFacts
  const proxy = url ? new LedgerProxy({ questions, url, genesis }) : null
  const ledger = new KeptLedger(rows, clock, new LedgerWays({ proxy, clock }))
  const keys = new KeyManagement(new KeyStore(rows, cryptography), cryptography)
  const agent = new Agent({
    config: { logger: new ConsoleLogger(LogLevel.off), autoUpdateStorageOnStartup: false },
    dependencies: { ...nothingElse, EventEmitterClass },
    modules: {
      kms: new Kms.KeyManagementModule({ backends: [keys] }),
      // Its own place is the storage, which changes in steps alone.
      cache: new CacheModule({ cache: new InMemoryLruCache({ limit: CACHED_MAX }) }),
      storage: storageModule(new RecordStorage(rows)),
      didcomm: didcommModule(outgoing),
      // What all three say of a DID is in the DID itself. Credo's own choice has did:web too, which goes out by itself.
      dids: new DidsModule({
        resolvers: [new KeyDidResolver(), new PeerDidResolver(), new JwkDidResolver()],
      }),
      anoncreds: new AnonCredsModule({
        registries: [ledger],
        anoncreds: libraries.anoncreds,
        autoCreateLinkSecret: false,
      }),
      indyVdr: new IndyVdrModule({
        indyVdr: libraries.indyVdr,
        networks: [
          {
            indyNamespace: ledgerFacts.indyNamespace,
            isProduction: false,
            genesisTransactions: genesis,
            connectOnStartup: false,
          },
        ],
      }),
    },
  })
  await rows.step(async () => {
    await seedStorageVersion(agent)
    await agent.initialize()
    // Made before the first offers: two that arrive at once in a fresh wallet would each make one, and break it.
    const [secret] = await agent.modules.anoncreds.getLinkSecretIds()
    if (secret === undefined) await agent.modules.anoncreds.createLinkSecret({ setAsDefault: true })
  })
  agent.events.on<DidCommMessageSentEvent>(DidCommEventTypes.DidCommMessageSent, ({ payload }) =>
    outgoing.noteThread(payload.message.message.threadId),
  )
  ledger.watch(agent.dependencyManager.resolve(IndyVdrPoolService))
  return { agent, outgoing, ledger }
}

export type OpenAgent = Awaited<ReturnType<typeof openAgent>>
export type WalletAgent = OpenAgent['agent']

const didcommModule = (outgoing: OutgoingMessages) =>
  new DidCommModule({
    endpoints: [],
    transports: { inbound: [], outbound: [outgoing] },
    processDidCommMessagesConcurrently: true,
    connections: { autoAcceptConnections: true },
    credentials: {
      autoAcceptCredentials: DidCommAutoAcceptCredential.Never,
      credentialProtocols: [
        new DidCommCredentialV2Protocol({
          credentialFormats: [new AnonCredsDidCommCredentialFormatService()],
        }),
      ],
    },
    proofs: {
      autoAcceptProofs: DidCommAutoAcceptProof.Never,
      proofProtocols: [
        new DidCommProofV2Protocol({ proofFormats: [new AnonCredsDidCommProofFormatService()] }),
      ],
    },
    basicMessages: false,
    messagePickup: true,
    mediator: false,
    mediationRecipient: { mediatorPickupStrategy: DidCommMediatorPickupStrategy.None },
  })

const storageModule = (storage: RecordStorage<never>): Module => ({
  register(dependencies: DependencyManager): void {
    dependencies.registerInstance(InjectionSymbols.StorageService, storage)
  },
})

/** Credo refuses a storage whose version it does not know; a fresh one is up to date by definition. */
const seedStorageVersion = async ({ context }: Pick<Agent, 'context'>): Promise<void> => {
  const storage = context.dependencyManager.resolve<StorageService<StorageVersionRecord>>(
    InjectionSymbols.StorageService,
  )
  if ((await storage.getAll(context, StorageVersionRecord)).length > 0) return
  const record = new StorageVersionRecord({ storageVersion: StorageVersionRecord.frameworkStorageVersion })
  await storage.save(context, record)
}
