import {
  composeMessage,
  fieldsWithAttachment,
  formatsIn,
  isType,
  lastAttachmentOf,
  messageIdIn,
} from '../../didcomm/message.ts'
import { isJson } from '../../didcomm/json.ts'
import { isProblemReport, problemReportOf } from '../../didcomm/problem-report.ts'
import type { MessagePrefix } from '../../domain/message-prefix.ts'
import type { WalletFormat } from '../../domain/wallet-formats.ts'
import type { JsonText } from '../../ports/anoncreds.ts'
import { Enclosed } from '../bodies.ts'
import type { IssuingDefinition } from '../credential-definition/catalogue.ts'
import type { HolderMessages } from '../define-kind.ts'
import type { CredentialCommand, CredentialRecord } from './state.ts'

export const PROTOCOL = 'issue-credential/2.0'
/** RFC 0453 names no other. */
export const PROBLEM_CODE = 'issuance-abandoned'
const OFFERS = { anoncreds: 'anoncreds/credential-offer@v1.0', hlindy: 'hlindy/cred-abstract@v2.0' } as const
const REQUESTS = { anoncreds: 'anoncreds/credential-request@v1.0', hlindy: 'hlindy/cred-req@v2.0' } as const
const CREDENTIALS = { anoncreds: 'anoncreds/credential@v1.0', hlindy: 'hlindy/cred@v2.0' } as const

/** The offer opens the thread, so `threadId` is its own id. */
export const offerMessage = (facts: {
  readonly threadId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly offer: JsonText
  readonly format: WalletFormat
}): string =>
  composeMessage({
    id: facts.threadId,
    type: `${PROTOCOL}/offer-credential`,
    credential_preview: {
      '@type': `https://didcomm.org/${PROTOCOL}/credential-preview`,
      attributes: Object.entries(facts.attributes).map(([name, value]) => ({
        name,
        value,
        'mime-type': 'text/plain',
      })),
    },
    ...fieldsWithAttachment('offers~attach', OFFERS[facts.format], facts.offer),
  })

export const credentialMessage = (facts: {
  readonly threadId: string
  readonly prefix: MessagePrefix
  readonly credential: JsonText
  readonly format: WalletFormat
}): string =>
  composeMessage({
    prefix: facts.prefix,
    id: messageIdIn(facts.threadId, 'credential'),
    type: `${PROTOCOL}/issue-credential`,
    thread: { thid: facts.threadId },
    '~please_ack': { on: ['OUTCOME'] },
    ...fieldsWithAttachment('credentials~attach', CREDENTIALS[facts.format], facts.credential),
  })

const PROPOSAL = 'propose-credential'

/** What a holder may say about an offer. */
export const credentialMessages: HolderMessages<CredentialCommand, CredentialRecord> = {
  protocol: PROTOCOL,
  proposal: PROPOSAL,
  problemCode: PROBLEM_CODE,
  formatsShown: (message) => {
    const { format, content } = lastAttachmentOf(message.body, 'requests~attach', REQUESTS)
    // ACA-Py with its older wallet takes an offer in either format, and a request for a proof in the older one alone. It
    // names its holder in the older way, which no other wallet does in the newer format.
    const isOlder = format === 'anoncreds' && isJson(content) && typeof content['prover_did'] === 'string'
    return isOlder ? ['hlindy'] : formatsIn(message)
  },
  commandOf: (message, frame) => {
    if (isProblemReport(message)) {
      const { code, text } = problemReportOf(message)
      return { type: 'ReceiveCredentialProblem', ...frame, code, text }
    }
    if (isType(message, PROTOCOL, 'ack')) return { type: 'ReceiveCredentialAck', ...frame }
    if (isType(message, PROTOCOL, PROPOSAL)) return { type: 'ReceiveCredentialProposal', ...frame }
    if (!isType(message, PROTOCOL, 'request-credential')) return null
    const { format, content } = lastAttachmentOf(message.body, 'requests~attach', REQUESTS)
    return new Enclosed({
      text: JSON.stringify(content),
      isAwaitedBy: (record) => record.status === 'offer-sent' && record.connectionId === frame.from,
      isNamedBy: (record, { id }) => record.status === 'request-received' && record.request?.id === id,
      commandWith: (body) => ({ type: 'ReceiveCredentialRequest', ...frame, format, request: body }),
    })
  },
}

/** The AnonCreds offer follows from the definition and the nonce, so it is built wherever it is needed. */
export const offerText = (
  issuing: Pick<IssuingDefinition, 'schemaLedgerId' | 'ledgerId' | 'keyCorrectnessProof'>,
  nonce: string,
): JsonText =>
  `{"schema_id":${JSON.stringify(issuing.schemaLedgerId)},"cred_def_id":${JSON.stringify(issuing.ledgerId)},` +
  `"key_correctness_proof":${issuing.keyCorrectnessProof},"nonce":${JSON.stringify(nonce)}}`
