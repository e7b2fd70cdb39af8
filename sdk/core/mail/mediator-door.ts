import type { DidCommConnectionRecord, DidCommEncryptedMessage, DidCommMessage } from '@credo-ts/didcomm'
import {
  DidCommConnectionService,
  DidCommEnvelopeService,
  DidCommMessageSender,
  DidCommOutboundMessageContext,
} from '@credo-ts/didcomm'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { WalletAgent } from '../agent/open-agent.ts'
import { NoAnswer, type Questions } from '../network/questions.ts'
import { WalletError } from '../wallet-error.ts'
import { ENVELOPE, envelopeIn } from './answers.ts'

type Parts = { readonly agent: WalletAgent; readonly steps: AgentSteps; readonly questions: Questions }
export type Plaintext = Readonly<Record<string, unknown>>

/** Questions to the mediator that are answered on the same way, and that mean nothing later. */
export class MediatorDoor {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async ask(connection: DidCommConnectionRecord, message: DidCommMessage): Promise<Plaintext> {
    const { agent, steps, questions } = this.#parts
    const context = new DidCommOutboundMessageContext(message, { agentContext: agent.context, connection })
    const sender = agent.dependencyManager.resolve(DidCommMessageSender)
    const [sealed] = await steps.sealed(() => sender.sendMessage(context))
    if (sealed === undefined) throw unavailable('the mediator has no address that this wallet can reach')
    const headers = { 'Content-Type': ENVELOPE }
    const answer = await questions
      .ask(sealed.endpoint, { method: 'POST', headers, body: sealed.payload })
      .catch((error: unknown) => {
        throw error instanceof NoAnswer ? mediatorAway(error) : error
      })
    if (answer.status >= 400)
      throw unavailable(`the mediator answered ${answer.status}`, `status_${answer.status}`)
    const envelope = envelopeIn(answer.body)
    if (envelope === null) throw unavailable('the mediator did not say anything')
    return await this.#opened(envelope, connection)
  }

  /** Anybody can seal an envelope for the wallet; the mediator alone is listened to here. */
  async #opened(envelope: string, connection: DidCommConnectionRecord): Promise<Plaintext> {
    const { agent } = this.#parts
    const envelopes = agent.dependencyManager.resolve(DidCommEnvelopeService)
    const packed = JSON.parse(envelope) as DidCommEncryptedMessage
    const { plaintextMessage, senderKey, recipientKey } = await envelopes.unpackMessage(agent.context, packed)
    const connections = agent.dependencyManager.resolve(DidCommConnectionService)
    const from = senderKey && (await connections.findByKeys(agent.context, { senderKey, recipientKey }))
    if (from?.id !== connection.id) throw unavailable('what answered is not the mediator')
    return plaintextMessage
  }
}

export const mediatorAway = ({ isOnline, cause }: Pick<NoAnswer, 'isOnline' | 'cause'>): WalletError =>
  isOnline
    ? new WalletError('MediatorUnavailable', 'the mediator did not answer', { cause })
    : new WalletError('NetworkUnavailable', 'there is no network', { cause })

export const unavailable = (message: string, code?: string): WalletError =>
  new WalletError('MediatorUnavailable', message, code === undefined ? {} : { code })
