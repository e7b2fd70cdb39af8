// A plain Credo agent as a holder, with Askar below it, and everything else as Credo comes.
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
// First of all packages: they register the native libraries, and Credo's modules take what is registered when they load.
import { anoncreds } from '@hyperledger/anoncreds-nodejs'
import { indyVdr } from '@hyperledger/indy-vdr-nodejs'
import { askarNodeJS } from '@openwallet-foundation/askar-nodejs'
import {
  AnonCredsDidCommCredentialFormatService,
  AnonCredsDidCommProofFormatService,
  AnonCredsModule,
} from '@credo-ts/anoncreds'
import { AskarModule } from '@credo-ts/askar'
import { Agent } from '@credo-ts/core'
import type { DidCommCredentialStateChangedEvent, DidCommProofStateChangedEvent } from '@credo-ts/didcomm'
import {
  DidCommAutoAcceptCredential,
  DidCommAutoAcceptProof,
  DidCommCredentialEventTypes,
  DidCommCredentialState,
  DidCommCredentialV2Protocol,
  DidCommHttpOutboundTransport,
  DidCommMediatorPickupStrategy,
  DidCommModule,
  DidCommProofEventTypes,
  DidCommProofState,
  DidCommProofV2Protocol,
} from '@credo-ts/didcomm'
import { IndyVdrAnonCredsRegistry, IndyVdrModule } from '@credo-ts/indy-vdr'
import { WebSocket } from 'ws'
import { NoFiles } from '../../sdk/wallet/no-files.ts'

const POLL_MS = 250
const LOOK_MS = 10
const LIMIT_MS = 120_000
const LABEL = 'Holder'

/** Askar writes its file itself; Credo only makes the folder before, which is there. */
class OwnFolder extends NoFiles {
  override createDirectory = () => Promise.resolve()
}

type Ledger = { readonly namespace: string; readonly genesis: string }

const openAgent = async ({ namespace, genesis }: Ledger, folder: string) => {
  const agent = new Agent({
    config: { autoUpdateStorageOnStartup: true },
    dependencies: {
      FileSystem: OwnFolder,
      EventEmitterClass: EventEmitter,
      fetch,
      WebSocketClass: WebSocket,
    },
    modules: {
      askar: new AskarModule({
        askar: askarNodeJS,
        store: {
          id: 'holder',
          key: askarNodeJS.storeGenerateRawKey({}),
          // A key of a key chain, as the SDK has it, and nothing that a person types.
          keyDerivationMethod: 'raw',
          database: { type: 'sqlite', config: { path: join(folder, 'holder.db') } },
        },
      }),
      didcomm: new DidCommModule({
        endpoints: [],
        transports: { inbound: [], outbound: [new DidCommHttpOutboundTransport()] },
        processDidCommMessagesConcurrently: true,
        connections: { autoAcceptConnections: true },
        credentials: {
          autoAcceptCredentials: DidCommAutoAcceptCredential.Always,
          credentialProtocols: [
            new DidCommCredentialV2Protocol({
              credentialFormats: [new AnonCredsDidCommCredentialFormatService()],
            }),
          ],
        },
        proofs: {
          autoAcceptProofs: DidCommAutoAcceptProof.Always,
          proofProtocols: [
            new DidCommProofV2Protocol({ proofFormats: [new AnonCredsDidCommProofFormatService()] }),
          ],
        },
        basicMessages: false,
        messagePickup: true,
        mediator: false,
        mediationRecipient: { mediatorPickupStrategy: DidCommMediatorPickupStrategy.None },
      }),
      anoncreds: new AnonCredsModule({
        registries: [new IndyVdrAnonCredsRegistry()],
        anoncreds,
        autoCreateLinkSecret: false,
      }),
      indyVdr: new IndyVdrModule({
        indyVdr,
        networks: [
          {
            indyNamespace: namespace,
            isProduction: false,
            genesisTransactions: genesis,
            connectOnStartup: true,
          },
        ],
      }),
    },
  })
  await agent.initialize()
  await agent.modules.anoncreds.createLinkSecret({ setAsDefault: true })
  return agent
}

let agent: Awaited<ReturnType<typeof openAgent>> | null = null
/** The threads of what has ended: Credo reads a message that comes twice, and says each time that it is done. */
const ended = { received: new Set<string>(), proved: new Set<string>() }

/** Connects with the mediator of the invitation. */
export async function start(invitationUrl: string, ledger: Ledger): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-credo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  agent = await openAgent(ledger, folder)
  agent.events.on<DidCommCredentialStateChangedEvent>(
    DidCommCredentialEventTypes.DidCommCredentialStateChanged,
    ({ payload: { credentialExchangeRecord: exchange } }) => {
      if (exchange.state === DidCommCredentialState.Done) ended.received.add(exchange.threadId)
    },
  )
  agent.events.on<DidCommProofStateChangedEvent>(
    DidCommProofEventTypes.ProofStateChanged,
    ({ payload: { proofRecord: exchange } }) => {
      if (exchange.state === DidCommProofState.Done) ended.proved.add(exchange.threadId)
    },
  )
  const { oob, connections, mediationRecipient } = agent.didcomm
  const { connectionRecord } = await oob.receiveInvitationFromUrl(invitationUrl, {
    label: `${LABEL} ${randomUUID()}`,
    routing: await mediationRecipient.getRouting({ useDefaultMediator: false }),
  })
  const ready = await connections.returnWhenIsConnected(connectionRecord?.id ?? '', { timeoutMs: LIMIT_MS })
  await mediationRecipient.provision(ready)
}

export async function connect(url: string): Promise<void> {
  const { oob, connections, mediationRecipient } = opened().didcomm
  await fetching(async () => {
    const routing = await mediationRecipient.getRouting({})
    const { connectionRecord } = await oob.receiveInvitationFromUrl(url, { label: LABEL, routing })
    await connections.returnWhenIsConnected(connectionRecord?.id ?? '', { timeoutMs: LIMIT_MS })
  })
}

export const receive = (wanted: number): Promise<void> => untilMore('received', wanted)
export const prove = (wanted: number): Promise<void> => untilMore('proved', wanted)

const untilMore = (what: keyof typeof ended, wanted: number): Promise<void> =>
  fetching(async () => {
    const [end, deadlineMs] = [ended[what].size + wanted, performance.now() + LIMIT_MS]
    while (ended[what].size < end) {
      if (performance.now() > deadlineMs) throw new Error(`${what}: ${ended[what].size} of ${end}`)
      await pause(LOOK_MS)
    }
  })

const fetching = async (work: () => Promise<void>): Promise<void> => {
  const { mediationRecipient, messagePickup } = opened().didcomm
  const mediator = await mediationRecipient.findDefaultMediator()
  if (mediator === null) throw new Error('the holder has no mediator')
  const look = {
    connectionId: mediator.connectionId,
    protocolVersion: 'v2',
    awaitCompletion: true,
    awaitCompletionTimeoutMs: LIMIT_MS,
  } as const
  const over = new AbortController()
  // Credo's own polling asks again by the clock, and fetches again what it has not acknowledged yet.
  const looking = (async () => {
    while (!over.signal.aborted) {
      await messagePickup.pickupMessages(look)
      await pause(POLL_MS)
    }
  })()
  try {
    await Promise.race([work(), looking])
  } finally {
    over.abort()
    await looking
  }
}

const opened = () => {
  if (agent === null) throw new Error('start first')
  return agent
}
