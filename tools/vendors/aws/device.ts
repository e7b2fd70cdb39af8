import type { Scene } from '../people/camera.ts'
import { SESSION_HEADER, START_PATH } from './start-liveness.ts'
import { type Credentials, signedHeaders } from './signature/signed-headers.ts'

export type AwsCapture = {
  /** Of the streaming service. */
  readonly endpoint: string
  readonly region: string
  readonly sessionId: string
  readonly credentials: Credentials
  readonly atMs?: number
  /** Who is in front of this camera, where the simulator's own setting is not meant. */
  readonly scene?: Scene
}

/** What the vendor's component in the app does: it lets the person at the camera do the check of a session. */
export const captureForAws = async (capture: AwsCapture): Promise<void> => {
  const { endpoint, region, sessionId, credentials, scene, atMs = Date.now() } = capture
  const url = new URL(START_PATH, endpoint)
  const body = Buffer.from(JSON.stringify({ scene }))
  const headers = signedHeaders(
    {
      url,
      headers: {
        'content-type': 'application/json',
        [SESSION_HEADER]: sessionId,
        'x-amz-rekognition-streaming-liveness-challenge-versions': 'FaceMovementAndLightChallenge_2.0.0',
        'x-amz-rekognition-streaming-liveness-video-width': '480',
        'x-amz-rekognition-streaming-liveness-video-height': '640',
      },
      body,
    },
    { credentials, region, atMs },
  )
  const response = await fetch(url, { method: 'POST', headers, body })
  if (response.ok) return
  const { message } = (await response.json()) as { readonly message: string }
  throw new Error(`${response.headers.get('x-amzn-errortype')}: ${message}`)
}
