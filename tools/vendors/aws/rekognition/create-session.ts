import { isJson, type Json, strangerIn } from '../../wire/json.ts'
import type { ChallengeType, LivenessSessions } from '../liveness-sessions.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { invalidParameter } from './refusals.ts'

const CHALLENGES: readonly ChallengeType[] = ['FaceMovementAndLightChallenge', 'FaceMovementChallenge']
const AUDIT_IMAGES_MAX = 4

/** `CreateFaceLivenessSession`. */
export const createSession = (
  input: Json,
  { account, sessions }: { account: string; sessions: LivenessSessions },
): Json | Refusal => {
  const stranger = strangerIn(input, ['KmsKeyId', 'Settings', 'ClientRequestToken'])
  if (stranger !== undefined) return invalidParameter(`There is no member ${stranger}`)
  // Buckets and keys of the customer are not simulated, and a session that ignored them would keep images elsewhere.
  if (input['KmsKeyId'] !== undefined) return invalidParameter('KmsKeyId is not simulated')
  const settings = settingsOf(input['Settings'] ?? {})
  if (isRefusal(settings)) return settings
  const token = input['ClientRequestToken'] ?? null
  if (token !== null && (typeof token !== 'string' || !/^[a-zA-Z0-9-_]{1,64}$/.test(token)))
    return invalidParameter(
      `1 validation error detected: Value at 'clientRequestToken' failed to satisfy constraint: ` +
        'Member must satisfy regular expression pattern: ^[a-zA-Z0-9-_]+$ and have length between 1 and 64',
    )
  return { SessionId: sessions.create({ account, ...settings }, token) }
}

function settingsOf(from: unknown): { auditImagesMax: number; challenge: ChallengeType } | Refusal {
  if (!isJson(from)) return invalidParameter('Settings must be a structure')
  const stranger = strangerIn(from, ['OutputConfig', 'AuditImagesLimit', 'ChallengePreferences'])
  if (stranger !== undefined) return invalidParameter(`There is no member ${stranger}`)
  if (from['OutputConfig'] !== undefined) return invalidParameter('OutputConfig is not simulated')
  const auditImagesMax = from['AuditImagesLimit'] ?? 0
  // The model allows 0 to 4, its words promise to round: a caller who relies on the words is refused.
  if (
    typeof auditImagesMax !== 'number' ||
    !Number.isInteger(auditImagesMax) ||
    auditImagesMax < 0 ||
    auditImagesMax > AUDIT_IMAGES_MAX
  )
    return invalidParameter(`AuditImagesLimit must be between 0 and ${AUDIT_IMAGES_MAX}`)
  const challenge = challengeOf(from['ChallengePreferences'])
  return isRefusal(challenge) ? challenge : { auditImagesMax, challenge }
}

/** The first that is preferred; versions are not told apart. */
function challengeOf(from: unknown): ChallengeType | Refusal {
  if (from === undefined) return 'FaceMovementAndLightChallenge'
  const preferred = Array.isArray(from)
    ? from.map((each: unknown) =>
        isJson(each) && strangerIn(each, ['Type', 'Versions']) === undefined
          ? CHALLENGES.find((known) => known === each['Type'])
          : undefined,
      )
    : []
  const [first] = preferred
  return first === undefined || preferred.includes(undefined)
    ? invalidParameter('ChallengePreferences must be a list of known challenges')
    : first
}
