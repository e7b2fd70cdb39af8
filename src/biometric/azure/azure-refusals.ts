import type { WholeAnswer } from '../../egress/whole-answer.ts'
import type { Obstacle } from '../../ports/face-vendor.ts'
import { away, refused } from '../outcomes.ts'
import { isJson, jsonOf } from './json.ts'

/** A call that brought nothing: Azure's own words for it, which go nowhere else, and what it comes to. */
export type AzureFailure = {
  readonly code: string | null
  readonly message: string
  readonly obstacle: Obstacle
}

/** What an answer that is not the one hoped for means: an error, or a success of another shape. */
export const azureFailureOf = (answer: WholeAnswer): AzureFailure => {
  const error = jsonOf(answer.body)?.['error']
  const [code, message] = isJson(error) ? [error['code'], error['message']] : []
  return {
    code: typeof code === 'string' && /^\w{1,80}$/.test(code) ? code : null,
    message: typeof message === 'string' ? message.slice(0, 300) : '',
    obstacle: obstacleOf(answer, code),
  }
}

function obstacleOf({ status, headers }: WholeAnswer, code: unknown): Obstacle {
  if (status === 429) return away('throttled', retryAfterMs(headers['retry-after']))
  if (status >= 500) return away('broken', retryAfterMs(headers['retry-after']))
  if (status < 400) return away('unreadable')
  if (status === 401)
    return refused(
      'key',
      'Azure does not take the key: it is not one of the resource behind settings.endpoint.',
    )
  if (status === 403 && code === 'UnsupportedFeature')
    return refused(
      'permission',
      'Microsoft has not approved face verification for this resource: it is Limited Access and has to be applied for.',
    )
  if (status === 403) return refused('permission', 'Azure does not allow this to the key of the resource.')
  if (status === 404)
    return refused('endpoint', 'What answers under settings.endpoint is not the Face API v1.2.')
  return refused(
    'other',
    `Azure refused the request${typeof code === 'string' && /^\w{1,80}$/.test(code) ? `: ${code}` : ''}.`,
  )
}

const RETRY_AFTER_SECONDS_MAX = 3_600

/** Seconds; the other form of the header, a time of day, is not believed. */
function retryAfterMs(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,6}$/.test(header)) return null
  return Math.min(Number(header), RETRY_AFTER_SECONDS_MAX) * 1_000
}
