import {
  DidCommMessage,
  DidCommMessageSender,
  getOutboundDidCommMessageContext,
  parseMessageType,
} from '@credo-ts/didcomm'
import type { Wallet } from './create-wallet.ts'

const PREFIX = 'https://didcomm.org/'

/** Messages of protocols that the wallet's library does not speak, by their type without its prefix. */
const messageClassOf = (name: string, prefix = PREFIX) =>
  class OtherMessage extends DidCommMessage {
    static override readonly type = parseMessageType(`${prefix}${name}`)
    override readonly type = OtherMessage.type.messageTypeUri
  }

/** Calls `take` with every message of this type that the wallet receives. */
export const takeMessages = (
  { agent }: Wallet,
  name: string,
  take: (message: Readonly<Record<string, unknown>>) => void,
  prefix = PREFIX,
): void =>
  agent.didcomm.registerMessageHandlers([
    {
      supportedMessages: [messageClassOf(name, prefix)],
      handle: async ({ message }) => {
        take(message.toJSON())
        return undefined
      },
    },
  ])

/** Sends a message without further fields, in a thread, to the one whom the wallet is connected with. */
export const sendInThread = async (
  { agent }: Wallet,
  name: string,
  threadId: string,
  prefix = PREFIX,
): Promise<void> => {
  const [connectionRecord] = await agent.didcomm.connections.getAll()
  if (connectionRecord === undefined) throw new Error('the wallet has no connection')
  const message = new (messageClassOf(name, prefix))()
  message.id = message.generateId()
  message.setThread({ threadId })
  const context = await getOutboundDidCommMessageContext(agent.context, { message, connectionRecord })
  await agent.dependencyManager.resolve(DidCommMessageSender).sendMessage(context)
}
