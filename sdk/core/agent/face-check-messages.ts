import type { DidCommConnectionRecord } from '@credo-ts/didcomm'
import {
  DidCommConnectionRepository,
  DidCommMessage,
  DidCommMessageSender,
  DidCommOutboundMessageContext,
  parseMessageType,
} from '@credo-ts/didcomm'
import type { WalletAgent } from './open-agent.ts'

const PROTOCOL = 'urn:vouchsafe:didcomm/biometric-check/1.0'

/** What organisations say about a check. */
const heardNames = ['required', 'session', 'again', 'over'] as const
type HeardName = (typeof heardNames)[number]
type SaidName = 'begin' | 'captured'

export type HeardAboutCheck = {
  readonly name: HeardName
  readonly checkId: string
  /** The thread of the exchange that waits for it; only in `required`. */
  readonly exchangeThreadId: string | null
  /** Likewise: when the check is over. */
  readonly expiresAtMs: number | null
  readonly connection: DidCommConnectionRecord
  readonly content: Readonly<Record<string, unknown>>
}

const messageClassOf = (name: HeardName | SaidName) =>
  class FaceCheckMessage extends DidCommMessage {
    static override readonly type = parseMessageType(`${PROTOCOL}/${name}`)
    override readonly type = FaceCheckMessage.type.messageTypeUri
  }

/** Calls `take` with every message about a check, within the step that reads it. */
export const hearAboutChecks = (
  { didcomm }: Pick<WalletAgent, 'didcomm'>,
  take: (heard: HeardAboutCheck) => Promise<void>,
): void =>
  didcomm.registerMessageHandlers(
    heardNames.map((name) => ({
      supportedMessages: [messageClassOf(name)],
      handle: async ({ message, connection }) => {
        if (connection === undefined) return undefined
        const content = message.toJSON()
        const { parentThreadId = null } = message.thread ?? {}
        const checkId = message.threadId
        const expiresAtMs = message.timing?.expiresTime?.getTime() ?? null
        await take({ name, checkId, exchangeThreadId: parentThreadId, expiresAtMs, connection, content })
        return undefined
      },
    })),
  )

/** Within a step. */
export const sayAboutCheck = async (
  { context, dependencyManager }: Pick<WalletAgent, 'context' | 'dependencyManager'>,
  name: SaidName,
  { checkId, connectionId }: { readonly checkId: string; readonly connectionId: string },
): Promise<void> => {
  const connection = await dependencyManager
    .resolve(DidCommConnectionRepository)
    .getById(context, connectionId)
  const message = new (messageClassOf(name))()
  message.id = message.generateId()
  message.setThread({ threadId: checkId })
  const outbound = new DidCommOutboundMessageContext(message, { agentContext: context, connection })
  await dependencyManager.resolve(DidCommMessageSender).sendMessage(outbound)
}
