// The platform comes first, because it loads the native libraries before Credo.
import { nodePlatform } from '../../sdk/node/platform.ts'
import type { DidCommEncryptedMessage, DidCommMessage } from '@credo-ts/didcomm'
import { DidCommEnvelopeService } from '@credo-ts/didcomm'
import { AgentSteps } from '../../sdk/core/agent/agent-steps.ts'
import { openAgent } from '../../sdk/core/agent/open-agent.ts'
import type { Outgoing } from '../../sdk/core/agent/outgoing-messages.ts'
import { Inbox } from '../../sdk/core/mail/inbox.ts'
import { overHttps } from '../../sdk/core/network/addresses.ts'
import { Questions } from '../../sdk/core/network/questions.ts'
import type { Clock } from '../../sdk/core/ports.ts'
import { RowStore } from '../../sdk/core/rows/row-store.ts'
import { MemoryKeys, MemoryStorage } from './fakes.ts'

/** An agent as the wallet has it, without mediator and network: what it sends is in `sent`. */
export const walletAgent = async (clock: Clock = nodePlatform().clock) => {
  const platform = { ...nodePlatform(), clock }
  const storage = new MemoryStorage()
  const rows = await RowStore.open(storage, new MemoryKeys(), platform.cryptography)
  const questions = new Questions(platform.network, overHttps)
  const opened = await openAgent(rows, platform, { indyNamespace: 'sandbox', genesis: '' }, questions)
  const { agent, outgoing, ledger } = opened
  const sent: Outgoing[] = []
  const dropped: string[] = []
  const steps = new AgentSteps({
    rows,
    outgoing,
    post: (message) => void sent.push(message),
    settle: async () => undefined,
    forget: () => undefined,
  })
  const inbox = new Inbox({
    agent,
    ledger,
    rows,
    steps,
    clock,
    failed: async () => undefined,
    dropped: (reason) => void dropped.push(reason),
    refused: async () => undefined,
  })
  return {
    ...opened,
    rows,
    storage,
    steps,
    inbox,
    sent,
    dropped,
    /** Keys of its own, under an address. */
    routing: async (endpoint: string) => {
      const routing = await agent.didcomm.mediationRecipient.getRouting({ useDefaultMediator: false })
      return { ...routing, endpoints: [endpoint] }
    },
    /** What an envelope says, by which key, and how it is answered on the same keys. */
    opened: async (envelope: string) => {
      const envelopes = agent.dependencyManager.resolve(DidCommEnvelopeService)
      const packed = JSON.parse(envelope) as DidCommEncryptedMessage
      const { plaintextMessage, senderKey, recipientKey } = await envelopes.unpackMessage(
        agent.context,
        packed,
      )
      if (senderKey === undefined || recipientKey === undefined) throw new Error('the envelope has no sender')
      return {
        message: plaintextMessage as Readonly<Record<string, unknown>>,
        from: senderKey,
        answer: async (message: object): Promise<string> =>
          JSON.stringify(
            await envelopes.packMessage(agent.context, { toJSON: () => message } as DidCommMessage, {
              recipientKeys: [senderKey],
              routingKeys: [],
              senderKey: recipientKey,
            }),
          ),
      }
    },
    receive: async (envelope: string): Promise<number> => {
      await rows.step(async () => inbox.add(envelope))
      return await inbox.read()
    },
  }
}

type TestAgent = Awaited<ReturnType<typeof walletAgent>>

/** The organisation's side of a connection of which the wallet's is complete, and the id that each gives it. */
export const connected = async (organisation: TestAgent, wallet: TestAgent) => {
  const invitation = await invitationOf(organisation)
  const walletSide = await wallet.steps.run(async () => {
    const routing = await wallet.routing('https://wallet.example')
    const { connectionRecord } = await wallet.agent.didcomm.oob.receiveInvitation(invitation, {
      label: 'Wallet',
      routing,
    })
    return connectionRecord?.id ?? ''
  })
  await organisation.receive(wallet.sent.shift()?.payload ?? '')
  await wallet.receive(organisation.sent.shift()?.payload ?? '')
  await organisation.receive(wallet.sent.shift()?.payload ?? '')
  const [organisationSide] = await organisation.agent.didcomm.connections.getAll()
  if (organisationSide === undefined) throw new Error('the organisation has no connection')
  return { walletSide, organisationSide }
}

export const invitationOf = (organisation: TestAgent) =>
  organisation.steps.run(async () => {
    const routing = await organisation.routing('https://organisation.example')
    const { outOfBandInvitation } = await organisation.agent.didcomm.oob.createInvitation({
      label: 'Organisation',
      routing,
    })
    return outOfBandInvitation
  })
