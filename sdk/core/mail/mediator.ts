import {
  DidCommConnectionRecord,
  DidCommDidExchangeState,
  DidCommMediationRecipientService,
  DidCommMediationRecord,
  DidCommMediationState,
  DidCommMessageSender,
  DidCommOutboundMessageContext,
} from '@credo-ts/didcomm'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { WalletAgent } from '../agent/open-agent.ts'
import { storedRecord } from '../agent/record-storage.ts'
import type { PlatformClient } from '../network/platform-client.ts'
import type { RowStore } from '../rows/row-store.ts'
import { WalletError } from '../wallet-error.ts'
import { unavailable } from './mediator-door.ts'
import { dropConnection } from './dropped-connection.ts'
import type { MediatorSetup, SetupRow } from './setup.ts'

type Parts = {
  readonly rows: RowStore
  readonly agent: WalletAgent
  readonly steps: AgentSteps
  readonly client: PlatformClient
  readonly setup: SetupRow
  readonly label: string
  /** Sends what waits and reads what comes back, until nothing moves; throws where the mediator is away. */
  readonly exchange: () => Promise<void>
}

export type ReadyMediator = {
  readonly connection: DidCommConnectionRecord
  readonly mediation: DidCommMediationRecord
}

/** An invitation is good for one connection and an hour; a wallet has three of them in ten minutes. */
const INVITATIONS_MAX = 2
const STAGES_MAX = 12

/**
 * The way to the mediator:
 *
 *     nothing → invited → connecting → connected → asked → granted
 *
 * Each stage is stored before anything is sent for the next one, so a start goes on where the last one ended. Where the
 * invitation has become too old the way begins again, with another one.
 */
export class Mediator {
  readonly #parts: Parts
  #ready: ReadyMediator | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async ready(): Promise<ReadyMediator> {
    let invitations = 0
    for (let stage = 0; this.#ready === null && stage < STAGES_MAX; stage++) {
      const { mediator } = this.#parts.setup.stored() ?? {}
      if (!mediator) {
        if (++invitations > INVITATIONS_MAX) break
        await this.#invite()
      } else if (mediator.connectionId === null) await this.#connect(mediator)
      else await this.#goOn(mediator, mediator.connectionId)
    }
    if (this.#ready === null) throw unavailable('the mediator does not take this wallet', 'mediator_refuses')
    return this.#ready
  }

  /** Read once: what comes back is stored before it is used. */
  async #invite(): Promise<void> {
    const { rows, client, setup } = this.#parts
    const { invitationUrl } = await client.mediatorInvitation()
    if (typeof invitationUrl !== 'string')
      throw new WalletError('PlatformError', 'the platform gave no invitation to the mediator')
    await rows.step(async () => setup.putMediator({ invitationUrl, connectionId: null, mediationId: null }))
  }

  async #connect(mediator: MediatorSetup): Promise<void> {
    const { agent, steps, setup, label } = this.#parts
    const { oob, mediationRecipient } = agent.didcomm
    const invitation = await oob.parseInvitation(mediator.invitationUrl).catch((error: unknown) => {
      throw new WalletError('PlatformError', 'the invitation to the mediator is none', { cause: error })
    })
    await steps.run(async () => {
      const routing = await mediationRecipient.getRouting({ useDefaultMediator: false })
      const { connectionRecord } = await oob
        .receiveInvitation(invitation, { label, routing })
        .catch((error: unknown) => {
          throw new WalletError('PlatformError', 'the invitation to the mediator leads nowhere', {
            cause: error,
            code: 'mediator_invitation_invalid',
          })
        })
      setup.putMediator({ ...mediator, connectionId: connectionRecord?.id ?? null })
    })
  }

  async #goOn(mediator: MediatorSetup, connectionId: string): Promise<void> {
    this.#ready = this.#granted(mediator, connectionId)
    if (this.#ready !== null) return
    await this.#parts.exchange()
    const connection = storedRecord(this.#parts.rows, DidCommConnectionRecord, connectionId)
    if (connection?.state !== DidCommDidExchangeState.Completed) return await this.#beginAgain(connectionId)
    if (mediator.mediationId === null) return await this.#ask(mediator, connection)
    this.#ready = this.#granted(mediator, connectionId)
    // Everything was sent and read, and there was no consent in it.
    if (this.#ready === null) await this.#beginAgain(connectionId)
  }

  #granted({ mediationId }: MediatorSetup, connectionId: string): ReadyMediator | null {
    if (mediationId === null) return null
    const connection = storedRecord(this.#parts.rows, DidCommConnectionRecord, connectionId)
    const mediation = storedRecord(this.#parts.rows, DidCommMediationRecord, mediationId)
    const isGranted = mediation?.state === DidCommMediationState.Granted
    return connection !== null && isGranted ? { connection, mediation } : null
  }

  async #ask(mediator: MediatorSetup, connection: DidCommConnectionRecord): Promise<void> {
    const { agent, steps, setup } = this.#parts
    const recipients = agent.dependencyManager.resolve(DidCommMediationRecipientService)
    const sender = agent.dependencyManager.resolve(DidCommMessageSender)
    await steps.run(async () => {
      const { mediationRecord, message } = await recipients.createRequest(agent.context, connection)
      await sender.sendMessage(
        new DidCommOutboundMessageContext(message, { agentContext: agent.context, connection }),
      )
      setup.putMediator({ ...mediator, mediationId: mediationRecord.id })
    })
  }

  async #beginAgain(connectionId: string): Promise<void> {
    const { agent, steps, setup } = this.#parts
    await steps.run(async () => {
      await dropConnection(agent, connectionId)
      setup.putMediator(null)
    })
  }
}
