import { isOutOfBounds } from '../domain/json-bounds.ts'
import { listOf } from './json.ts'
import type { MessageBody } from './message.ts'

/** The fields of an issue-credential or present-proof 2.0 message for one format and the JSON attached to it. */
export const fieldsWithAttachment = (
  attachmentsName: string,
  format: string,
  content: unknown,
): Readonly<Record<string, unknown>> => ({
  formats: [{ attach_id: 'anoncreds', format }],
  [attachmentsName]: [
    {
      '@id': 'anoncreds',
      'mime-type': 'application/json',
      data: { base64: Buffer.from(JSON.stringify(content)).toString('base64') },
    },
  ],
})

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
