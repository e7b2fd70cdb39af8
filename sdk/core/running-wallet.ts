import type { DidCommConnectionRecord } from '@credo-ts/didcomm'
import { DidCommConnectionRepository } from '@credo-ts/didcomm'
import { AgentSteps } from './agent/agent-steps.ts'
import { type OpenAgent, openAgent } from './agent/open-agent.ts'
import { ReportedChanges } from './agent/reported-changes.ts'
import type { BiometricCaptures } from './biometric-capture.ts'
import type { Listeners, WalletEvent } from './events.ts'
import { connectionOf, Connections } from './holder/connections.ts'
import { Credentials } from './holder/credentials.ts'
import { FaceChecks } from './holder/face-checks.ts'
import { Offers } from './holder/offers.ts'
import { ProofRequests } from './holder/proof-requests.ts'
import { Inbox } from './mail/inbox.ts'
import { Mail, orMediatorAway } from './mail/mail.ts'
import { Mediator } from './mail/mediator.ts'
import { MediatorDoor } from './mail/mediator-door.ts'
import { Outbox } from './mail/outbox.ts'
import { Pickup } from './mail/pickup.ts'
import { dropRefusedConnection } from './mail/dropped-connection.ts'
import { endWhatWaitsFor, whyGivenUp } from './mail/given-up-messages.ts'
import { reportFailure } from './mail/reported-failure.ts'
import { Routes } from './mail/routes.ts'
import type { Setup, SetupRow } from './mail/setup.ts'
import type { PlatformClient } from './network/platform-client.ts'
import type { Questions } from './network/questions.ts'
import type { Platform } from './ports.ts'
import type { RowStore } from './rows/row-store.ts'

type Parts = {
  readonly platform: Platform
  readonly rows: RowStore
  readonly questions: Questions
  readonly client: PlatformClient
  readonly setupRow: SetupRow
  readonly setup: Setup
  readonly listeners: Listeners
  readonly label: string
  readonly captures: BiometricCaptures
}

/** An opened wallet: where its rooms are put together. */
export const openWallet = async (parts: Parts) => {
  const { platform, rows, setup, listeners } = parts
  const opened = await openAgent(rows, platform, setup.ledger, parts.questions)
  const { mail, mediator, routes, steps, changes } = mailOf(parts, opened)
  const common = { ...opened, rows, steps, mail, clock: platform.clock }
  const credentials = new Credentials({ ...common, listeners })
  const offers = new Offers({ ...common, credentials })
  const proofRequests = new ProofRequests({ ...common, credentials })
  const faceChecks = new FaceChecks({
    ...common,
    captures: parts.captures,
    tell: (event) => changes.tell(event),
  })
  const { isAllowed } = parts.questions
  const connections = new Connections({
    ...common,
    mediator,
    routes,
    setup: parts.setupRow,
    isAllowed,
    label: parts.label,
  })
  const withCheck = async (id: string, changed: Promise<readonly WalletEvent[]>) => {
    const events = await changed
    await faceChecks.exchangeChanged(id, events)
    return events
  }
  changes.takenBy({
    offer: (id) => withCheck(id, offers.changed(id)),
    proofRequest: (id) => withCheck(id, proofRequests.changed(id)),
    connection: (id) => connectionChanged(opened, parts.setupRow, id),
  })
  return {
    mail,
    mediator,
    credentials,
    offers,
    proofRequests,
    faceChecks,
    connections,
    /** It takes no further steps until it is opened again. */
    isBrokenOff: (): boolean => rows.isBrokenOff,
    async close(): Promise<void> {
      await mail.inTurn(async () => undefined)
      await opened.agent.shutdown()
      await rows.close()
    },
  }
}

export type OpenWallet = typeof openWallet
export type RunningWallet = Awaited<ReturnType<OpenWallet>>

const mailOf = (
  { platform, rows, questions, client, setupRow, listeners, label }: Parts,
  opened: OpenAgent,
) => {
  const { agent, outgoing, ledger } = opened
  const changes = new ReportedChanges(agent, listeners)
  const dropped = (reason: string): void => listeners.tell({ name: 'messageDropped', data: { reason } })
  const isMediator = (connectionId: string | null): boolean =>
    connectionId !== null && setupRow.found()?.mediator?.connectionId === connectionId
  const tellFailed = (connection: DidCommConnectionRecord | null): void => {
    if (connection === null || isMediator(connection.id)) return
    changes.tell({ name: 'connectionChanged', data: { ...connectionOf(connection), state: 'failed' } })
  }
  const outbox: Outbox = new Outbox({
    rows,
    questions,
    received: (envelope) => inbox.add(envelope),
    clock: platform.clock,
    givenUp: async (message, step) => {
      changes.forget()
      const error = whyGivenUp(message, isMediator(message.connectionId))
      tellFailed(await endWhatWaitsFor(agent, changes, message))
      await changes.settle(step)
      const data = { reason: error.message, error }
      step.afterwards(() => listeners.tell({ name: 'messageDropped', data }))
    },
  })
  const steps = new AgentSteps({
    rows,
    outgoing,
    post: (message) => outbox.add(message),
    settle: (step) => changes.settle(step),
    forget: () => changes.forget(),
  })
  const inbox: Inbox = new Inbox({
    agent,
    ledger,
    rows,
    steps,
    clock: platform.clock,
    dropped,
    failed: (envelope) => reportFailure(agent, changes, envelope),
    refused: async (threadId) => tellFailed(await dropRefusedConnection(agent, threadId)),
  })
  const exchange = async (): Promise<void> => {
    const away = await mail.exchangeNow()
    const { connectionId } = setupRow.stored()?.mediator ?? {}
    if (outbox.waiting.some((message) => message.connectionId === connectionId)) orMediatorAway(away)
  }
  const mediator = new Mediator({ rows, agent, steps, client, setup: setupRow, label, exchange })
  const pickup = new Pickup({ rows, inbox, door: new MediatorDoor({ agent, steps, questions }) })
  const mail: Mail = new Mail({ outbox, inbox, mediator, pickup })
  const routes = new Routes({ rows, agent, steps, exchange })
  return { mail, mediator, routes, steps, changes }
}

/** The mediator is nobody whom the holder knows. */
const connectionChanged = async (
  { agent }: OpenAgent,
  setup: SetupRow,
  recordId: string,
): Promise<readonly WalletEvent[]> => {
  const connections = agent.dependencyManager.resolve(DidCommConnectionRepository)
  const record = await connections.findById(agent.context, recordId)
  if (record === null || setup.found()?.mediator?.connectionId === recordId) return []
  return [{ name: 'connectionChanged', data: connectionOf(record) }]
}
