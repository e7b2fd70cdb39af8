import { isScene } from '../people/scene-told.ts'
import { jsonOf } from '../wire/json.ts'
import { headerOf, type WireReply, type WireRequest } from '../wire/request-and-reply.ts'
import type { Handled } from '../wire/simulator.ts'
import { type AwsWorld, contextOf } from './aws-world.ts'
import { denialOf } from './iam/authorise.ts'
import { codeOfFault } from './rekognition/json-protocol.ts'
import { Refusal } from './refusal.ts'
import { checkSignature } from './signature/check-signature.ts'

export const START_PATH = '/start-face-liveness-session'
export const SESSION_HEADER = 'x-amz-rekognition-streaming-liveness-session-id'
const HEADERS = ['challenge-versions', 'video-width', 'video-height'].map(
  (name) => `x-amz-rekognition-streaming-liveness-${name}`,
)

/**
 * `StartFaceLivenessSession` of the streaming service, as far as a server notices it: path, headers, signature and
 * permission are the vendor's. In place of the video comes who is in front of the camera, unless the simulator was told,
 * and the check is over with the answer.
 */
export const startLiveness = (request: WireRequest, world: AwsWorld): Handled => {
  const { region, accounts, clock, sessions, camera } = world
  const signed = checkSignature(request, { region, service: 'rekognition', accounts, wallMs: clock.wallMs })
  if ('fault' in signed) return refusing(new Refusal(codeOfFault(signed), signed.message, 403))
  const denial = denialOf(signed.principal, {
    action: 'rekognition:StartFaceLivenessSession',
    resource: '*',
    context: contextOf(world),
  })
  if (denial !== null) return refusing(new Refusal('AccessDeniedException', denial, 403))
  const id = headerOf(request, SESSION_HEADER)
  const isWhole = HEADERS.every((name) => headerOf(request, name) !== undefined)
  const told = jsonOf(request.body.toString())
  const scene = told?.['scene']
  const isVideo = told !== null && (scene === undefined || isScene(scene))
  if (request.method !== 'POST' || id === undefined || !isWhole || !isVideo)
    return refusing(new Refusal('ValidationException', 'The input fails to satisfy the constraints.'))
  const session = sessions.find(signed.principal.account, id)
  if (session === null || session === 'expired')
    return { ...refusing(new Refusal('SessionNotFoundException', 'Session not found.')), sessionId: id }
  if (session.status !== 'CREATED')
    return { ...refusing(new Refusal('ValidationException', 'The session was used before.')), sessionId: id }
  sessions.run(session, scene ?? camera.take())
  return { reply: streamed(200, {}), sessionId: id }
}

const streamed = (status: number, body: unknown, errorType?: string): WireReply => ({
  status,
  headers: {
    'content-type': 'application/json',
    ...(errorType !== undefined && { 'x-amzn-errortype': errorType }),
  },
  body: JSON.stringify(body),
})

/** How the streaming service says no, which has another protocol than the rest of Rekognition. */
export const refusedStream = ({ code, message, status }: Refusal): WireReply =>
  streamed(status, { message }, code)

const refusing = (refusal: Refusal): Handled => ({ reply: refusedStream(refusal), code: refusal.code })
