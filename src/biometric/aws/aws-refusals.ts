import type { Obstacle } from '../../ports/face-vendor.ts'
import { away, obstacleOnTheWay, refused } from '../outcomes.ts'
import type { AwsAccount } from './aws-account.ts'

/** The operations of AWS, as policies name them. */
export type AwsAction =
  | 'sts:AssumeRole'
  | 'rekognition:CreateFaceLivenessSession'
  | 'rekognition:GetFaceLivenessSessionResults'
  | 'rekognition:CompareFaces'

/** A call that brought nothing: AWS's own word for it, where it gave one, and what it comes to. */
export type AwsFailure = { readonly code: string | null; readonly obstacle: Obstacle }

const THROTTLED = [
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'ProvisionedThroughputExceededException',
  'LimitExceededException',
  'ServiceQuotaExceededException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
]
const WRONG_KEY = [
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidAccessKeyId',
  'MissingAuthenticationTokenException',
  'MissingAuthenticationToken',
]
const WRONG_SIGNATURE = ['InvalidSignatureException', 'SignatureDoesNotMatch', 'IncompleteSignatureException']
const WRONG_TIME = ['RequestExpired', 'RequestTimeTooSkewed', 'RequestInTheFuture']
const SIGNED_AT_ANOTHER_TIME = /signature expired|not yet current/i
const EXPIRED_KEY = ['ExpiredTokenException', 'ExpiredToken']
const FORBIDDEN = ['AccessDeniedException', 'AccessDenied', 'UnauthorizedOperation']

/** What an error of the client means. Nothing of the error goes into a sentence but a code of letters. */
export const awsFailureOf = (error: unknown, action: AwsAction, account: AwsAccount): AwsFailure => {
  const onTheWay = obstacleOnTheWay(error, () =>
    refused('region', `There is no such region of AWS, or not this service in it: ${account.region}.`),
  )
  if (onTheWay !== null) return { code: null, obstacle: onTheWay }
  if (!isServiceError(error)) return { code: null, obstacle: away('unreadable') }
  const code = /^[A-Za-z]{1,80}$/.exec(error.name)?.[0] ?? null
  return { code, obstacle: obstacleOf(error, { code: code ?? '', action, account }) }
}

/**
 * Whether the answer said that the two clocks are too far apart: the client knows by now how far. It says so itself, except
 * where it had made up for a difference that there is no more.
 */
export const isSkewed = (error: unknown): boolean => {
  if (!isServiceError(error) || ![...WRONG_SIGNATURE, ...WRONG_TIME].includes(error.name)) return false
  if (error.$metadata.clockSkewCorrected === true) return true
  const isOfTime = WRONG_TIME.includes(error.name) || SIGNED_AT_ANOTHER_TIME.test(error.message)
  return isOfTime && error.$response?.headers?.['date'] !== undefined
}

type ServiceError = Error & {
  readonly $metadata: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean }
  /** Where it was answered at all. */
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && '$fault' in error && '$metadata' in error
}

type Refusing = { readonly code: string; readonly action: AwsAction; readonly account: AwsAccount }

function obstacleOf(error: ServiceError, { code, action, account }: Refusing): Obstacle {
  const status = error.$metadata.httpStatusCode ?? 0
  if (THROTTLED.includes(code) || status === 429) return away('throttled')
  if (FORBIDDEN.includes(code)) return refused('permission', forbidden(action, account))
  if (WRONG_KEY.includes(code))
    return refused('key', 'AWS does not know the access key, or does not know it in this region.')
  if (EXPIRED_KEY.includes(code)) return refused('key', 'The access key has expired.')
  if (WRONG_TIME.includes(code)) return refused('clock', WRONG_CLOCK)
  if (WRONG_SIGNATURE.includes(code)) return wrongSignature(error.message, account)
  if (code === 'RegionDisabledException')
    return refused('region', `The region ${account.region} is not active in this account.`)
  if (status >= 500) return away('broken')
  if (code === '' || code === 'Unknown') return away('unreadable')
  if (action === 'sts:AssumeRole' && code === 'ValidationError')
    return refused(
      'settings',
      'AWS does not take settings.deviceRoleArn for the ARN of a role that can be used.',
    )
  return refused('other', `AWS refused ${action}: ${code}.`)
}

const WRONG_CLOCK =
  'The clock of this service and that of AWS are too far apart. Tell the operators of this service.'

function wrongSignature(message: string, { region }: AwsAccount): Obstacle {
  if (/scoped to a valid region/i.test(message))
    return refused('region', `What answers under this endpoint is another region than ${region}.`)
  if (SIGNED_AT_ANOTHER_TIME.test(message)) return refused('clock', WRONG_CLOCK)
  return refused('key', 'The secret does not belong to the access key.')
}

const forbidden = (action: AwsAction, { deviceRoleArn }: AwsAccount): string =>
  action === 'sts:AssumeRole'
    ? `The access key may not do sts:AssumeRole on ${deviceRoleArn}, the role does not trust it, or there is no such role.`
    : `The access key may not do ${action}.`
