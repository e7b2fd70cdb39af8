// A Credo agent as a mediator, with the wallet's storage and keys in memory. Its queue is in memory too, so nothing that it
// answers for outlives it.
import { EventEmitter } from 'node:events'
import { Agent, ConsoleLogger, Kms, LogLevel } from '@credo-ts/core'
import {
  DidCommMessageForwardingStrategy,
  DidCommModule,
  type DidCommTransportSession,
  DidCommTransportEventTypes,
  DidCommTransportService,
  InMemoryQueueTransportRepository,
} from '@credo-ts/didcomm'
import WebSocket from 'ws'
import { KeyStore } from '../wallet/key-store.ts'
import { SodiumKeyManagement } from '../wallet/key-management.ts'
import { NoFiles } from '../wallet/no-files.ts'
import { SqliteRecordStorage } from '../wallet/record-storage.ts'
import { storageModule } from '../wallet/storage-module.ts'
import { seedStorageVersion } from '../wallet/storage-version.ts'
import { IN_MEMORY, openDatabase } from '../wallet/wallet-database.ts'
import { SessionTransports, SocketSession } from './session-transports.ts'

/**
 * `direct`: what comes is sent into the socket of the wallet, and queued while there is none. `queue`: it is queued, and
 * handed over in live mode or when the wallet asks.
 */
export type Forwarding = 'direct' | 'queue'

const { DirectDelivery, QueueAndLiveModeDelivery } = DidCommMessageForwardingStrategy
const QUEUED_MAX = 10_000

export const openCredoMediator = async (forwarding: Forwarding) => {
  const database = openDatabase(IN_MEMORY)
  const inbound = new SessionTransports()
  const queue = new Queue()
  const agent = new Agent({
    config: { logger: new ConsoleLogger(LogLevel.off), autoUpdateStorageOnStartup: false },
    dependencies: { FileSystem: NoFiles, EventEmitterClass: EventEmitter, fetch, WebSocketClass: WebSocket },
    modules: {
      kms: new Kms.KeyManagementModule({ backends: [new SodiumKeyManagement(new KeyStore(database))] }),
      storage: storageModule(new SqliteRecordStorage(database)),
      didcomm: new DidCommModule({
        endpoints: await inbound.listen(),
        transports: { inbound: [inbound] },
        processDidCommMessagesConcurrently: true,
        connections: { autoAcceptConnections: true },
        queueTransportRepository: queue,
        credentials: false,
        proofs: false,
        basicMessages: false,
        messagePickup: true,
        mediator: {
          autoAcceptMediationRequests: true,
          messageForwardingStrategy: forwarding === 'direct' ? DirectDelivery : QueueAndLiveModeDelivery,
        },
        mediationRecipient: false,
      }),
    },
  })
  await seedStorageVersion(agent.context)
  await agent.initialize()

  /** Credo leaves it to the application to hand over what waited when a wallet without live mode comes back. */
  const handOver = async (session: DidCommTransportSession | undefined): Promise<void> => {
    if (!(session instanceof SocketSession) || !session.isOpen) return
    const { connectionId } = session as DidCommTransportSession
    if (connectionId === undefined) return
    const waiting = queue.takeFromQueue(agent.context, { connectionId, limit: QUEUED_MAX })
    for (const { id, encryptedMessage } of waiting) {
      await session.send(agent.context, encryptedMessage)
      queue.removeMessages(agent.context, { connectionId, messageIds: [id] })
    }
  }
  if (forwarding === 'direct') {
    agent.events.on(DidCommTransportEventTypes.DidCommTransportSessionSaved, ({ payload }) => {
      void handOver(payload['session'] as DidCommTransportSession).catch(() => undefined)
    })
    // The wallet may have come while its message was on the way into the queue.
    const sessions = agent.dependencyManager.resolve(DidCommTransportService)
    queue.added = (connectionId) =>
      void handOver(sessions.findSessionByConnectionId(connectionId)).catch(() => undefined)
  }

  return {
    openSockets: (): number => inbound.openSockets,
    /** Messages that no wallet has taken yet. */
    waiting: (): number => queue.waiting,
    invite: async (): Promise<string> => {
      const { oob } = agent.didcomm
      const { outOfBandInvitation } = await oob.createInvitation({ autoAcceptConnection: true })
      return outOfBandInvitation.toUrl({ domain: 'https://mediator.example' })
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await agent.shutdown()
      database.close()
    },
  }
}

/** Credo's own, which one can look into. */
class Queue extends InMemoryQueueTransportRepository {
  waiting = 0
  added: (connectionId: string) => void = () => undefined

  override addMessage(...added: Parameters<InMemoryQueueTransportRepository['addMessage']>): string {
    this.waiting += 1
    const id = super.addMessage(...added)
    this.added(added[1].connectionId)
    return id
  }

  override takeFromQueue(...taken: Parameters<InMemoryQueueTransportRepository['takeFromQueue']>) {
    const messages = super.takeFromQueue(...taken)
    this.waiting -= messages.length
    return messages
  }
}
