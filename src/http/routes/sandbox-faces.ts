import { problem } from '../route/problem.ts'
import { defineRawRoute, type Route } from '../route/route.ts'

const SCENES = ['holder', 'stranger', 'picture'] as const
type Scene = (typeof SCENES)[number]

/** The vendor that nobody looks at a face for. */
export type SandboxCamera = {
  /** False for a session that there is not, that is over, or that is another's. */
  readonly capture: (sessionId: string, token: string, scene: Scene) => boolean
}

const BODY_BYTES_MAX = 1_024
const DONE = { status: 204, headers: {}, body: '' } as const

/** Where a wallet says who stood before its camera. On the sandbox ledger alone; the token is that of the session. */
export const sandboxFacesRoute = (camera: SandboxCamera): Route =>
  defineRawRoute({
    method: 'POST',
    path: '/sandbox/faces/{sessionId}',
    operationId: 'captureForSandbox',
    summary: 'Takes what the camera of a trial has seen',
    errors: ['invalid_request', 'not_found'],
    bodyBytesMax: BODY_BYTES_MAX,
    raw: {
      contentTypes: ['application/json'],
      handle: ({ params: { sessionId = '' }, body }) => {
        const told = toldIn(body)
        if (told === null)
          return problem('invalid_request', `token, and scene as one of ${SCENES.join(', ')}, are needed.`)
        const { token, scene } = told
        return camera.capture(sessionId, token, scene)
          ? DONE
          : problem('not_found', 'There is no such session, or it is over.')
      },
    },
  })

const toldIn = (body: Uint8Array): { readonly token: string; readonly scene: Scene } | null => {
  let told: unknown
  try {
    told = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return null
  }
  const { token, scene } = (told ?? {}) as { readonly token?: unknown; readonly scene?: unknown }
  const known = SCENES.find((each) => each === scene)
  return typeof token === 'string' && known !== undefined ? { token, scene: known } : null
}
