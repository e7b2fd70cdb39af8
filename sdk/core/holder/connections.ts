import type { DidCommOutOfBandInvitation } from '@credo-ts/didcomm'
import {
  DidCommConnectionRecord,
  DidCommConnectionType,
  DidCommDidExchangeState,
  DidCommOutOfBandRecord,
  OutOfBandDidCommService,
} from '@credo-ts/didcomm'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { WalletAgent } from '../agent/open-agent.ts'
import { storedRecord, storedRecords } from '../agent/record-storage.ts'
import type { Mail } from '../mail/mail.ts'
import type { Mediator } from '../mail/mediator.ts'
import type { Routes } from '../mail/routes.ts'
import type { SetupRow } from '../mail/setup.ts'
import type { Addresses } from '../network/addresses.ts'
import type { Clock } from '../ports.ts'
import type { RowStore } from '../rows/row-store.ts'
import { WalletError } from '../wallet-error.ts'
import { passed } from '../within-time.ts'

/** An organisation that the wallet is connected with. */
export type Connection = {
  readonly id: string
  /** How the organisation calls itself. It is not proved. */
  readonly label: string | null
  /** `connecting` until the organisation has answered. */
  readonly state: 'connecting' | 'completed' | 'failed'
  readonly createdAt: Date
}

type Parts = {
  readonly rows: RowStore
  readonly agent: WalletAgent
  readonly steps: AgentSteps
  readonly mail: Mail
  readonly mediator: Mediator
  readonly routes: Routes
  readonly setup: SetupRow
  readonly isAllowed: Addresses
  readonly clock: Clock
  readonly label: string
}

/** Credo's mark for one who is no organisation. */
const MEDIATOR = DidCommConnectionType.Mediator

const LOOK_AFTER_MS = [0, 250, 500, 1_000, 2_000]

export class Connections {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The newest first. */
  list(): readonly Connection[] {
    const mediator = this.#parts.setup.stored()?.mediator?.connectionId
    return storedRecords(this.#parts.rows, DidCommConnectionRecord)
      .filter(({ id, connectionTypes }) => id !== mediator && !connectionTypes.includes(MEDIATOR))
      .map(connectionOf)
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  }

  /** The same invitation again gives the connection that there is. */
  async receive(invitationUrl: string): Promise<Connection> {
    const { agent, steps, mail, mediator, routes, label } = this.#parts
    const invitation = await this.#read(invitationUrl)
    const known = this.#takenBefore(invitation)
    if (known !== null) return known
    const { id, isNew } = await mail.inTurn(async () => {
      // A finger that taps twice takes it twice at the same time.
      const taken = this.#takenBefore(invitation)
      if (taken !== null) return { id: taken.id, isNew: false }
      const route = await routes.next(await mediator.ready())
      return await steps.run(async () => {
        const { connectionRecord } = await agent.didcomm.oob
          .receiveInvitation(invitation, { label, routing: route.routing })
          .catch((error: unknown) => {
            throw invalid('nobody can be reached by this invitation', error)
          })
        if (!connectionRecord) throw invalid('the invitation led to no connection')
        route.taken()
        return { id: connectionRecord.id, isNew: true }
      })
    })
    return isNew ? await this.#answered(id) : this.#existing(id)
  }

  /** Most organisations answer within a second or two; one that does not is heard of later. */
  async #answered(id: string): Promise<Connection> {
    const { mail, clock } = this.#parts
    for (let look = 0; ; look++) {
      await passed(clock, LOOK_AFTER_MS[look] ?? 0)
      const isAway = await mail.sync().then(
        () => false,
        () => true,
      )
      const connection = this.#existing(id)
      if (isAway || connection.state !== 'connecting' || look === LOOK_AFTER_MS.length) return connection
    }
  }

  async #read(url: string): Promise<DidCommOutOfBandInvitation> {
    const { agent, isAllowed } = this.#parts
    const invitation = await agent.didcomm.oob.parseInvitation(url).catch((error: unknown) => {
      throw invalid('this is no invitation', error)
    })
    if ((invitation.handshakeProtocols ?? []).length === 0)
      throw invalid('the invitation leads to no connection')
    // Credo would read such a message outside of every step, when nobody waits for it any more.
    if ((invitation.getRequests() ?? []).length > 0)
      throw invalid('the invitation carries a message, and this wallet takes messages over connections alone')
    if (!inlineServices(invitation).some(({ serviceEndpoint }) => isAllowed(serviceEndpoint)))
      throw invalid('the invitation has no address that this wallet may speak to')
    return invitation
  }

  #existing(id: string): Connection {
    const record = storedRecord(this.#parts.rows, DidCommConnectionRecord, id)
    if (record === null) throw invalid('the organisation does not take this invitation any more')
    return connectionOf(record)
  }

  /** Anybody can give an invitation the id of another: it is the same one where it leads to the same keys. */
  #takenBefore(invitation: DidCommOutOfBandInvitation): Connection | null {
    const { rows } = this.#parts
    const taken = storedRecords(rows, DidCommOutOfBandRecord).find(
      ({ outOfBandInvitation: one }) => one.id === invitation.id && keysOf(one) === keysOf(invitation),
    )
    if (taken === undefined) return null
    const connection = storedRecords(rows, DidCommConnectionRecord).find(
      ({ outOfBandId }) => outOfBandId === taken.id,
    )
    return connection === undefined ? null : connectionOf(connection)
  }
}

const inlineServices = (invitation: DidCommOutOfBandInvitation): readonly OutOfBandDidCommService[] =>
  invitation.getServices().filter((service) => service instanceof OutOfBandDidCommService)

const keysOf = (invitation: DidCommOutOfBandInvitation): string =>
  inlineServices(invitation)
    .flatMap(({ recipientKeys }) => recipientKeys)
    .join(' ')

export const connectionOf = (record: DidCommConnectionRecord): Connection => ({
  id: record.id,
  label: record.theirLabel ?? null,
  state: stateOf(record.state),
  createdAt: record.createdAt,
})

const stateOf = (state: DidCommDidExchangeState): Connection['state'] => {
  switch (state) {
    case DidCommDidExchangeState.Completed:
      return 'completed'
    case DidCommDidExchangeState.Abandoned:
      return 'failed'
    default:
      return 'connecting'
  }
}

const invalid = (message: string, cause?: unknown): WalletError =>
  new WalletError('InvalidInvitation', message, cause === undefined ? {} : { cause })
