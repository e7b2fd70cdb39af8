import { type Json, strangerIn } from '../../wire/json.ts'
import type { LivenessSession, LivenessSessions } from '../liveness-sessions.ts'
import type { Refusal } from '../refusal.ts'
import { invalidParameter, sessionNotFound } from './refusals.ts'

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const BOUNDING_BOX = { Width: 0.5, Height: 0.5, Left: 0.25, Top: 0.25 }

/** What the vendor says of a session that is too old, which its documents leave open. */
export type AfterExpiry = 'EXPIRED' | 'not found'

/** `GetFaceLivenessSessionResults`. */
export const sessionResults = (
  input: Json,
  {
    account,
    sessions,
    afterExpiry,
  }: { account: string; sessions: LivenessSessions; afterExpiry: AfterExpiry },
): Json | Refusal => {
  const id = input['SessionId']
  if (strangerIn(input, ['SessionId']) !== undefined || typeof id !== 'string' || !SESSION_ID.test(id))
    return invalidParameter(
      "1 validation error detected: Value at 'sessionId' failed to satisfy constraint: " +
        `Member must satisfy regular expression pattern: ${SESSION_ID.source}`,
    )
  const session = sessions.find(account, id)
  if (session === null || (session === 'expired' && afterExpiry === 'not found')) return sessionNotFound()
  if (session === 'expired') return { SessionId: id, Status: 'EXPIRED' }
  return { SessionId: id, Status: session.status, ...dataOf(session) }
}

/** Only a check that came to an end well has data. */
function dataOf({ result, challenge }: LivenessSession): Json {
  if (result === null) return {}
  const imageOf = (image: Buffer): Json => ({ Bytes: image.toString('base64'), BoundingBox: BOUNDING_BOX })
  return {
    Confidence: result.confidence,
    ...(result.referenceImage !== null && { ReferenceImage: imageOf(result.referenceImage) }),
    AuditImages: result.auditImages.map(imageOf),
    Challenge: { Type: challenge, Version: '2.0.0' },
    Feedback: [],
  }
}
