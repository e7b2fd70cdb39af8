import type { ReportSource } from '../../didcomm/answers-under-way.ts'
import { pack } from '../../didcomm/envelope.ts'
import { pairOf } from '../../didcomm/keys.ts'
import { type Message, protocolOf } from '../../didcomm/message.ts'
import type { Received } from '../../didcomm/opened-envelope.ts'
import { type ProblemFacts, problemReportMessage } from '../../didcomm/problem-report.ts'
import { takesAnswerHere } from '../../didcomm/return-route.ts'
import type { Recipient } from '../../ports/wallets.ts'
import type { InboundPorts } from '../kind-ports.ts'
import { recipientOf } from './for-exchanges.ts'
import type { FormatsSeen } from './wallet-ways.ts'

/** The wallet of a connection that has written, and what is known of it. */
export type Sender = ReportSource & {
  readonly isCompleted: boolean
  /** The key that it wrote with, and the seed of ours. */
  readonly senderKey: string
  readonly ownSeed: string
  readonly seen: FormatsSeen
}

export const NOT_COMPLETED = 'The connection is not completed.'

/**
 * A short answer, on the way that the message came where its sender takes it there. Who is answered is answered like
 * everybody who was understood: a refusal would make the wallet send it again. Before its handshake is complete a wallet
 * is written to in the attempts of that alone, and hears the reason here.
 */
export const answer = (
  ports: Pick<InboundPorts, 'actors' | 'reporter'>,
  sender: Sender,
  message: Message,
  text: string,
  to: () => Promise<Recipient> = () => recipientOf(ports.actors, sender.address),
): Received => {
  if (takesAnswerHere(message)) return answerHere(sender, text)
  if (!sender.isCompleted) return { reason: NOT_COMPLETED }
  const { tenant, address, lane } = sender
  return ports.reporter.say({ tenant, address, lane }, to, text)
}

/** By a problem report in the protocol of the message. */
export const tell = (
  ports: Pick<InboundPorts, 'actors' | 'reporter'>,
  sender: Sender,
  message: Message,
  problem: Pick<ProblemFacts, 'code' | 'text'>,
): Received => {
  const { prefix, threadId } = message
  const report = problemReportMessage({ ...problem, protocol: protocolOf(message), prefix, threadId })
  return answer(ports, sender, message, report)
}

/** What leaves with the answer to a POST goes to whoever sealed what was posted. */
export const answerHere = (
  { senderKey, ownSeed }: { readonly senderKey: string; readonly ownSeed: string },
  text: string,
): Received => ({ answer: pack(text, [senderKey], pairOf(ownSeed)) })
