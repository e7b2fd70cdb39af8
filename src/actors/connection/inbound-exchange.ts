import type { CredentialCommand } from '../credential/state.ts'
import type { ProofCommand } from '../proof/state.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import type { Message } from '../../didcomm/message.ts'
import { credentialRequestOf, isCredentialAck, isCredentialRequest } from '../credential/messages.ts'
import { isPresentation, presentationOf } from '../proof/messages.ts'
import { isProblemReport, problemReportOf } from '../../didcomm/problem-report.ts'

type ForExchange = { readonly exchange: string; readonly command: CredentialCommand | ProofCommand }

/** The thread of an exchange is its id, so a holder's message names the actor it is for. Null: nothing for an exchange. */
export const exchangeCommandOf = (
  message: Message,
  connectionId: string,
  atMs: number,
): ForExchange | null => {
  const exchange = message.threadId
  if (shardOf(exchange) === null) return null
  const kind = kindOf(exchange)
  const frame = { atMs, from: connectionId }
  if (kind === 'cre') {
    const command = credentialCommand(message, frame)
    return command && { exchange, command }
  }
  if (kind === 'pro') {
    const command = proofCommand(message, frame)
    return command && { exchange, command }
  }
  return null
}

type Frame = { readonly atMs: number; readonly from: string }

/** What a holder may say after CredentialOffered. */
const credentialCommand = (message: Message, frame: Frame): CredentialCommand | null => {
  if (isProblemReport(message)) {
    const { code, text } = problemReportOf(message)
    return { type: 'ReceiveCredentialProblem', ...frame, code, text }
  }
  if (isCredentialAck(message)) return { type: 'ReceiveCredentialAck', ...frame }
  if (!isCredentialRequest(message)) return null
  return { type: 'ReceiveCredentialRequest', ...frame, request: JSON.stringify(credentialRequestOf(message)) }
}

/** What a holder may say after ProofRequested. */
const proofCommand = (message: Message, frame: Frame): ProofCommand | null => {
  if (isProblemReport(message)) {
    const { code, text } = problemReportOf(message)
    return { type: 'ReceiveProofProblem', ...frame, code, text }
  }
  if (!isPresentation(message)) return null
  return { type: 'ReceivePresentation', ...frame, presentation: JSON.stringify(presentationOf(message)) }
}
