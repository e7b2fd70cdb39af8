import { isOutOfBounds } from '../domain/json-bounds.ts'
import { PREFIX, messagePrefixes, type MessagePrefix } from '../domain/message-prefix.ts'
import { type WalletFormat, walletFormats } from '../domain/wallet-formats.ts'
import { isJson, jsonOf, listOf, type Json } from './json.ts'

export type MessageBody = Json

export type Message = {
  readonly id: string
  readonly prefix: MessagePrefix
  /** The type without its prefix: `issue-credential/2.0/request-credential`. */
  readonly type: string
  readonly threadId: string
  readonly parentThreadId: string | null
  readonly body: MessageBody
}

/** What we repeat in messages of our own is short, because it may go to an address of the sender's choice. */
const ID_BYTES_MAX = 256
/** So many characters are no more bytes than that, however they are escaped; a UUID has 36. */
const ALWAYS_SHORT = Math.floor(ID_BYTES_MAX / '\\u0000'.length)
const TYPE_LENGTH_MAX = 128

/** Null for a text that is not a DIDComm message; nothing of its content is kept. */
export const parseMessage = (text: string): Message | null => {
  const body = isOutOfBounds(text) ? null : jsonOf(text)
  const id = body?.['@id']
  const type = body?.['@type']
  if (!body || !isId(id) || typeof type !== 'string') return null
  const prefix = messagePrefixes.find((each) => type.startsWith(each))
  if (prefix === undefined || type.length - prefix.length > TYPE_LENGTH_MAX) return null
  const thread = (body['~thread'] ?? {}) as { thid?: unknown; pthid?: unknown }
  return {
    id,
    prefix,
    type: type.slice(prefix.length),
    threadId: isId(thread.thid) ? thread.thid : id,
    parentThreadId: isId(thread.pthid) ? thread.pthid : null,
    body,
  }
}

/** The minor version may differ from ours; the major one may not. A message is asked for many types, and most end otherwise. */
export const isType = (message: Message, protocol: string, name: string): boolean => {
  if (!message.type.endsWith(name)) return false
  const [family, version, ...rest] = message.type.split('/')
  const [wantedFamily, wantedVersion] = protocol.split('/')
  const sameMajor = version?.split('.')[0] === wantedVersion?.split('.')[0]
  return family === wantedFamily && sameMajor && rest.join('/') === name
}

/** The protocol of a message with the version that its sender speaks: `didexchange/1.0`. */
export const protocolOf = (message: Pick<Message, 'type'>): string =>
  message.type.split('/').slice(0, 2).join('/')

/** Message ids follow from the thread, so that a message that is sent again is recognised as the same. */
export const messageIdIn = (threadId: string, what: string): string => `${threadId.slice(0, 48)}.${what}`

type Outgoing = {
  readonly id: string
  readonly type: string
  /** Of the message that is answered; what opens a thread has the newer one, which all wallets take. */
  readonly prefix?: MessagePrefix
  readonly thread?: { readonly thid: string; readonly pthid?: string }
} & Readonly<Record<string, unknown>>

export const composeMessage = ({ id, type, prefix = PREFIX, thread, ...rest }: Outgoing): string =>
  JSON.stringify({
    '@type': `${prefix}${type}`,
    '@id': id,
    ...(thread ? { '~thread': thread } : {}),
    ...rest,
  })

/**
 * An answer to one message, in the version of its protocol that its sender speaks, or in another protocol that is named. Of
 * a message that comes again the answer is the same.
 */
export const answerTo = (
  message: Message,
  name: string,
  fields: Json = {},
  protocol = protocolOf(message),
): string =>
  composeMessage({
    id: messageIdIn(message.id, name),
    prefix: message.prefix,
    type: `${protocol}/${name}`,
    thread: { thid: message.threadId },
    ...fields,
  })

const isId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= ID_BYTES_MAX &&
  (value.length <= ALWAYS_SHORT || Buffer.byteLength(JSON.stringify(value)) <= ID_BYTES_MAX + '""'.length)

/** The fields of an issue-credential or present-proof 2.0 message for one format and the JSON text attached to it. */
export const fieldsWithAttachment = (
  attachmentsName: string,
  format: string,
  content: string,
): Readonly<Record<string, unknown>> => ({
  formats: [{ attach_id: 'anoncreds', format }],
  [attachmentsName]: [
    {
      '@id': 'anoncreds',
      'mime-type': 'application/json',
      data: { base64: Buffer.from(content).toString('base64') },
    },
  ],
})

/** How a format is called in the messages of one step. */
export type FormatNames = Readonly<Record<WalletFormat, string>>

/** The formats that the sender of a message has shown to know. */
export const formatsIn = ({ body }: Pick<Message, 'body'>): readonly WalletFormat[] => {
  const named = [
    ...listOf(body['formats']).map((entry) => (isJson(entry) ? entry['format'] : null)),
    ...listOf(body['disclosures']).map((entry) => (isJson(entry) ? entry['id'] : null)),
  ]
  return walletFormats.filter((format) =>
    named.some((name) => typeof name === 'string' && name.startsWith(`${format}/`)),
  )
}

/**
 * The attachment in one of the formats, and which it is: of several the last one. A Credo wallet that answers in all of
 * them keeps what it needs to read the answer of the last alone.
 */
export const lastAttachmentOf = (
  body: MessageBody,
  attachmentsName: string,
  names: FormatNames,
): { readonly format: WalletFormat; readonly content: unknown } => {
  const named = listOf(body['formats']).map((entry) => (isJson(entry) ? entry['format'] : null))
  const format = walletFormats.reduce((last, each) =>
    named.lastIndexOf(names[each]) > named.lastIndexOf(names[last]) ? each : last,
  )
  return { format, content: attachmentOf(body, attachmentsName, names[format]) }
}

/** The attachment of a format; null when the message has none that can be read. */
export const attachmentOf = (body: MessageBody, attachmentsName: string, format: string): unknown => {
  const formats = listOf(body['formats']) as { attach_id?: unknown; format?: unknown }[]
  const attachId = formats.find((entry) => entry?.format === format)?.attach_id
  const attachments = listOf(body[attachmentsName]) as {
    '@id'?: unknown
    data?: { base64?: unknown; json?: unknown }
  }[]
  const data = attachments.find((entry) => entry?.['@id'] === attachId)?.data
  if (attachId === undefined || !data) return null
  if (typeof data.json === 'object') return data.json
  if (typeof data.base64 !== 'string') return null
  try {
    // Node decodes both alphabets, padded or not.
    const text = Buffer.from(data.base64, 'base64').toString('utf8')
    return isOutOfBounds(text) ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}
