import type { DidCommConnectionRecord, DidCommEncryptedMessage } from '@credo-ts/didcomm'
import {
  DidCommConnectionService,
  DidCommCredentialState,
  DidCommCredentialV2ProblemReportMessage,
  DidCommEnvelopeService,
  DidCommMessageSender,
  DidCommOutboundMessageContext,
  DidCommPresentationV2ProblemReportMessage,
} from '@credo-ts/didcomm'
import type { WalletAgent } from '../agent/open-agent.ts'
import type { ReportedChanges } from '../agent/reported-changes.ts'

type Failed = {
  readonly connection: DidCommConnectionRecord
  readonly type: string
  readonly threadId: string
}

/**
 * The other side of an exchange hears that the wallet could not take its message, and what waits for that message here
 * ends: otherwise both would wait. A message that comes a second time is no reason to end what goes on. Within a step.
 */
export const reportFailure = async (
  agent: WalletAgent,
  changes: Pick<ReportedChanges, 'note'>,
  envelope: string,
): Promise<void> => {
  const failed = await readFailed(agent, envelope).catch(() => null)
  if (failed === null) return
  const { didcomm } = agent
  const { threadId } = failed
  const exchange = { threadId, connectionId: failed.connection.id }
  if (OFFER.test(failed.type)) {
    const known = await didcomm.credentials.findAllByQuery(exchange)
    if (known.length === 0)
      await report(agent, failed, DidCommCredentialV2ProblemReportMessage, ISSUANCE_ABANDONED)
  } else if (PROOF_REQUEST.test(failed.type)) {
    const known = await didcomm.proofs.findAllByQuery(exchange)
    if (known.length === 0) await report(agent, failed, DidCommPresentationV2ProblemReportMessage, ABANDONED)
  } else if (CREDENTIAL.test(failed.type)) {
    const waiting = { ...exchange, state: DidCommCredentialState.RequestSent }
    for (const record of await didcomm.credentials.findAllByQuery(waiting)) {
      await report(agent, failed, DidCommCredentialV2ProblemReportMessage, ISSUANCE_ABANDONED)
      record.state = DidCommCredentialState.Abandoned
      await didcomm.credentials.update(record)
      changes.note('offer', record.id)
    }
  }
}

const OFFER = /\/issue-credential\/2\.\d\/offer-credential$/
const CREDENTIAL = /\/issue-credential\/2\.\d\/issue-credential$/
const PROOF_REQUEST = /\/present-proof\/2\.\d\/request-presentation$/
const [ISSUANCE_ABANDONED, ABANDONED] = ['issuance-abandoned', 'abandoned']

type Report =
  | typeof DidCommCredentialV2ProblemReportMessage
  | typeof DidCommPresentationV2ProblemReportMessage

const report = async (
  { context, dependencyManager }: WalletAgent,
  { connection, threadId }: Failed,
  Message: Report,
  code: string,
): Promise<void> => {
  const message = new Message({ description: { code, en: 'The wallet could not take the message' } })
  message.setThread({ threadId })
  const outbound = new DidCommOutboundMessageContext(message, { agentContext: context, connection })
  await dependencyManager.resolve(DidCommMessageSender).sendMessage(outbound)
}

/** Null for what comes from nobody whom the wallet is connected with. */
const readFailed = async (
  { context, dependencyManager }: WalletAgent,
  envelope: string,
): Promise<Failed | null> => {
  const packed = JSON.parse(envelope) as DidCommEncryptedMessage
  const envelopes = dependencyManager.resolve(DidCommEnvelopeService)
  const { plaintextMessage, senderKey, recipientKey } = await envelopes.unpackMessage(context, packed)
  const connections = dependencyManager.resolve(DidCommConnectionService)
  const connection = senderKey && (await connections.findByKeys(context, { senderKey, recipientKey }))
  const thread = plaintextMessage['~thread'] as { readonly thid?: unknown } | undefined
  const threadId = thread?.thid ?? plaintextMessage['@id']
  return connection?.isReady && typeof threadId === 'string'
    ? { connection, threadId, type: plaintextMessage['@type'] }
    : null
}
