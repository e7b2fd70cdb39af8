import type { AzureManner } from './azure-world.ts'
import type { Attempt, VerifySession } from './verify-sessions.ts'

/** A session as the API shows it. */
export const sessionShown = (session: VerifySession, manner: AzureManner) => ({
  sessionId: session.id,
  authToken: session.token,
  status: manner.status === 'stale' ? 'NotStarted' : (session.attempts.at(-1)?.status ?? 'NotStarted'),
  modelVersion: session.settings.modelVersion,
  results: {
    attempts: inOrder(session.attempts, manner).map((attempt) => attemptShown(session, attempt, manner)),
    verifyReferences: [{ referenceType: 'image', faceRectangle: RECTANGLE, qualityForRecognition: 'high' }],
  },
})

const RECTANGLE = { top: 60, left: 60, width: 180, height: 220 }
const TARGETS = { color: { faceRectangle: RECTANGLE } }

const CAMEL_CASE = { realface: 'realFace', spoofface: 'spoofFace', uncertain: 'uncertain' } as const

const inOrder = (attempts: readonly Attempt[], { attempts: order }: AzureManner): readonly Attempt[] =>
  order === 'newest first' ? attempts.toReversed() : attempts

/** With a result or with an error, never with both; a running one has neither. */
function attemptShown({ settings, verifyImage }: VerifySession, attempt: Attempt, manner: AzureManner) {
  const {
    id: attemptId,
    status: attemptStatus,
    errorCode,
    decision,
    confidence,
    digest,
    sessionImage,
  } = attempt
  const head = { attemptId, attemptStatus }
  if (attemptStatus === 'Running') return head
  if (errorCode !== null)
    return {
      ...head,
      error: { code: errorCode, message: 'The face could not be followed.', targets: TARGETS },
    }
  return {
    ...head,
    result: {
      livenessDecision: manner.decisions === 'camel case' ? CAMEL_CASE[decision] : decision,
      targets: TARGETS,
      ...(confidence !== null && {
        verifyResult: { matchConfidence: confidence, isIdentical: confidence >= settings.confidenceMin },
      }),
      digest,
      ...(sessionImage !== null && { sessionImageId: sessionImage.id }),
      ...(settings.tellsImageHash && { verifyImageHash: verifyImage.sha256.toUpperCase() }),
    },
  }
}
