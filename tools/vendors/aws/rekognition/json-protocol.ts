import { randomUUID } from 'node:crypto'
import type { Json } from '../../wire/json.ts'
import type { WireReply } from '../../wire/request-and-reply.ts'
import type { Refusal } from '../refusal.ts'
import type { SignatureFault } from '../signature/check-signature.ts'

export const CONTENT_TYPE = 'application/x-amz-json-1.1'

/** What Rekognition's front end calls what is wrong with a signature; its HTTP status is 400 for all of them. */
const FAULT_CODES: Readonly<Record<SignatureFault['fault'], string>> = {
  missing: 'MissingAuthenticationTokenException',
  incomplete: 'IncompleteSignatureException',
  unknown: 'UnrecognizedClientException',
  expired: 'ExpiredTokenException',
  invalid: 'InvalidSignatureException',
}

/** Errors that come from in front of the service, which has another form for its own. */
const FRONT_CODES = ['SerializationException', 'UnknownOperationException']

export const answered = (body: Json): WireReply => reply(200, body)

export const refused = ({ code, message, status }: Refusal): WireReply =>
  reply(
    status,
    FRONT_CODES.includes(code)
      ? { __type: code, message }
      : { __type: code, Code: code, Logref: randomUUID(), Message: message },
  )

export const codeOfFault = ({ fault }: SignatureFault): string => FAULT_CODES[fault]

export const faulty = (fault: SignatureFault): WireReply =>
  reply(400, { __type: codeOfFault(fault), message: fault.message })

const reply = (status: number, body: Json): WireReply => ({
  status,
  headers: { 'content-type': CONTENT_TYPE, 'x-amzn-requestid': randomUUID() },
  body: JSON.stringify(body),
})
