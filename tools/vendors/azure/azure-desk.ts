import { isScene } from '../people/scene-told.ts'
import { jsonOf } from '../wire/json.ts'
import { headerOf, type WireRequest } from '../wire/request-and-reply.ts'
import type { Handled, VendorDesk } from '../wire/simulator.ts'
import type { AzureWorld } from './azure-world.ts'
import { wantedSession } from './create-session.ts'
import {
  FaceError,
  internalError,
  invalidBody,
  invalidKey,
  isFaceError,
  noSuchRoute,
  notApproved,
  rateExceeded,
  refusedReply,
  refusing,
  replied,
  sessionNotFound,
} from './face-error.ts'
import type { AzureResource } from './resources.ts'
import { sessionShown } from './session-shown.ts'
import { attemptOf } from './verify-sessions.ts'

const SESSIONS_PATH = '/face/v1.2/detectLivenessWithVerify-sessions'
/** Where the vendor's SDK sends its video is not documented; this is the simulator's own. */
export const DEVICE_PATH = '/face/v1.2/detectLivenessWithVerify'

type Operation = 'CreateSession' | 'GetSession' | 'DeleteSession' | 'DetectLiveness' | 'unknown'

/** The Face API: sessions of liveness with verification, for servers by key and for devices by token. */
export const azureDesk = (world: AzureWorld): VendorDesk => ({
  callOf: (request) => ({ account: accountOf(request, world), operation: operationOf(request) }),
  handle: (request) => {
    const operation = operationOf(request)
    if (operation === 'DetectLiveness') return detectLiveness(request, world)
    const resource = world.resources.of(request)
    if (resource === undefined) return refusing(invalidKey())
    if (world.quotas.isExceeded(resource.name, world.manner.quota)) return refusing(rateExceeded())
    if (operation === 'unknown' || request.query !== '') return refusing(noSuchRoute())
    return operation === 'CreateSession'
      ? createSession(request, resource, world)
      : ownSession(request, { operation, resource, world })
  },
  throttled: () => refusedReply(rateExceeded()),
  broken: () => refusedReply(internalError()),
})

function createSession(request: WireRequest, resource: AzureResource, world: AzureWorld): Handled {
  if (!resource.isApproved) return refusing(notApproved())
  const wanted = wantedSession(request)
  if (isFaceError(wanted)) return refusing(wanted)
  const endpoint = `${world.isTls ? 'https' : 'http'}://${headerOf(request, 'host')}`
  const session = world.sessions.create(resource.name, { ...wanted, endpoint })
  return {
    reply: replied(200, sessionShown(session, world.manner)),
    sessionId: session.id,
    images: [session.verifyImage],
  }
}

type Own = {
  readonly operation: 'GetSession' | 'DeleteSession'
  readonly resource: AzureResource
  readonly world: AzureWorld
}

function ownSession({ path }: WireRequest, { operation, resource, world }: Own): Handled {
  const sessionId = sessionIdIn(path) ?? ''
  const session = world.sessions.find(resource.name, sessionId)
  if (session === null) return refusing(sessionNotFound(), { sessionId })
  if (operation === 'GetSession')
    return { reply: replied(200, sessionShown(session, world.manner)), sessionId }
  world.sessions.delete(session)
  return { reply: replied(204), sessionId }
}

/** The device learns the digest of its attempt and no result. */
function detectLiveness(request: WireRequest, { sessions, camera, manner }: AzureWorld): Handled {
  const token = /^Bearer (\S+)$/.exec(headerOf(request, 'authorization') ?? '')?.[1] ?? ''
  const session = sessions.ofToken(token)
  if (session === null) return refusing(new FaceError(401, '401', 'The token is invalid or has expired.'))
  const told = jsonOf(request.body.toString())
  const scene = told?.['scene']
  if (told === null || (scene !== undefined && !isScene(scene))) return refusing(invalidBody())
  const sessionId = session.id
  if (session.attempts.length >= manner.attemptsMax)
    return refusing(new FaceError(403, 'AttemptsExceeded', 'The session allows no further attempt.'), {
      sessionId,
    })
  const attempt = attemptOf(session, scene ?? camera.take())
  session.attempts.push(attempt)
  return { reply: replied(200, { resultId: sessionId, digest: attempt.digest }), sessionId }
}

function operationOf({ method, path }: WireRequest): Operation {
  if (method === 'POST' && path === SESSIONS_PATH) return 'CreateSession'
  if (method === 'POST' && path === DEVICE_PATH) return 'DetectLiveness'
  if (sessionIdIn(path) === null) return 'unknown'
  return method === 'GET' ? 'GetSession' : method === 'DELETE' ? 'DeleteSession' : 'unknown'
}

const sessionIdIn = (path: string): string | null =>
  path.startsWith(`${SESSIONS_PATH}/`) ? path.slice(SESSIONS_PATH.length + 1) : null

const accountOf = (request: WireRequest, { resources }: AzureWorld): string | null =>
  resources.of(request)?.name ?? null
