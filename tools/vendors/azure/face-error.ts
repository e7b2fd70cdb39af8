import { randomUUID } from 'node:crypto'
import type { Handled } from '../wire/simulator.ts'
import type { WireReply } from '../wire/request-and-reply.ts'

/** An error of the Face API: its HTTP status, and what stands in the envelope. */
export class FaceError {
  readonly status: number
  readonly code: string
  readonly message: string

  constructor(status: number, code: string, message: string) {
    this.status = status
    this.code = code
    this.message = message
  }
}

export const isFaceError = (value: unknown): value is FaceError => value instanceof FaceError

// In the words of the vendor's table of error codes.

export const invalidKey = (): FaceError =>
  new FaceError(
    401,
    '401',
    'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an ' +
      'active subscription and use a correct regional API endpoint for your resource.',
  )

export const notApproved = (): FaceError =>
  new FaceError(
    403,
    'UnsupportedFeature',
    'Feature is not supported, missing approval for one or more of the following features: Identification, Verification.',
  )

export const noSuchRoute = (): FaceError => new FaceError(404, '404', 'Resource not found')

export const sessionNotFound = (): FaceError =>
  new FaceError(
    404,
    'SessionNotFound',
    'Session ID is not found. The session ID is expired or does not exist.',
  )

export const rateExceeded = (): FaceError => new FaceError(429, '429', 'Rate limit is exceeded.')

export const internalError = (): FaceError =>
  new FaceError(500, 'InternalServerError', 'Internal server error.')

export const invalidBody = (): FaceError =>
  new FaceError(
    400,
    'InvalidRequestBody',
    'Incorrect request body provided. Please check the operation schema and try again.',
  )

export const invalidTokenLifetime = (): FaceError =>
  new FaceError(
    400,
    'InvalidTokenLifetime',
    'Invalid authTokenTimeToLiveInSeconds specified. Must be within 60 to 86400.',
  )

export const invalidOperationMode = (): FaceError =>
  new FaceError(
    400,
    'InvalidLivenessOperationMode',
    "Invalid livenessOperationMode specified. Must be 'Passive'.",
  )

export const invalidDeviceCorrelationId = (): FaceError =>
  new FaceError(
    400,
    'InvalidDeviceCorrelationId',
    'A device correlation ID is required in the request body during session create or session start. Must not be ' +
      'null or empty, and be no more than 64 characters.',
  )

export const invalidImage = (message: string): FaceError => new FaceError(400, 'InvalidImage', message)

export const invalidImageSize = (message: string): FaceError =>
  new FaceError(400, 'InvalidImageSize', message)

/** So long a caller who was too fast is asked to wait. */
const RETRY_AFTER_SECONDS = '1'

export const replied = (
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireReply => ({
  status,
  headers: {
    'apim-request-id': randomUUID(),
    ...(body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
    ...headers,
  },
  body: body === undefined ? '' : JSON.stringify(body),
})

export const refusedReply = ({ status, code, message }: FaceError): WireReply =>
  replied(
    status,
    { error: { code, message } },
    { 'x-ms-error-code': code, ...(status === 429 && { 'retry-after': RETRY_AFTER_SECONDS }) },
  )

export const refusing = (error: FaceError, rest: Omit<Handled, 'reply' | 'code'> = {}): Handled => ({
  ...rest,
  reply: refusedReply(error),
  code: error.code,
})
