import { randomUUID } from 'node:crypto'
import type { WireReply } from '../../wire/request-and-reply.ts'
import type { Refusal } from '../refusal.ts'
import type { SignatureFault } from '../signature/check-signature.ts'

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/'

/** What STS calls what is wrong with a signature, and its status. */
const FAULTS: Readonly<Record<SignatureFault['fault'], readonly [string, number]>> = {
  missing: ['MissingAuthenticationToken', 403],
  incomplete: ['IncompleteSignature', 400],
  unknown: ['InvalidClientTokenId', 403],
  expired: ['ExpiredToken', 403],
  invalid: ['SignatureDoesNotMatch', 403],
}

/** Names in their order; a text is escaped, a nested list is an element with elements. */
export type Elements = readonly (readonly [string, string | Elements])[]

export const answered = (operation: string, result: Elements): WireReply =>
  reply(200, `${operation}Response`, [
    [`${operation}Result`, result],
    ['ResponseMetadata', [['RequestId', randomUUID()]]],
  ])

export const refused = ({ code, message, status }: Refusal): WireReply =>
  reply(status, 'ErrorResponse', [
    [
      'Error',
      [
        ['Type', status < 500 ? 'Sender' : 'Receiver'],
        ['Code', code],
        ['Message', message],
      ],
    ],
    ['RequestId', randomUUID()],
  ])

export const codeOfFault = ({ fault }: SignatureFault): readonly [string, number] => FAULTS[fault]

const reply = (status: number, root: string, elements: Elements): WireReply => ({
  status,
  headers: { 'content-type': 'text/xml', 'x-amzn-requestid': randomUUID() },
  body: `<${root} xmlns="${NAMESPACE}">${written(elements)}</${root}>`,
})

const written = (elements: Elements): string =>
  elements
    .map(([name, content]) => {
      const inside = typeof content === 'string' ? escaped(content) : written(content)
      return `<${name}>${inside}</${name}>`
    })
    .join('')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
