import type { BiometricCapture, BiometricSession } from '../../sdk/core/public.ts'
import { SDK_VERSION } from '../../sdk/core/public.ts'
import { captureForAws } from '../vendors/aws/device.ts'
import { captureForAzure } from '../vendors/azure/device.ts'
import type { Scene } from '../vendors/people/camera.ts'

/** Who is in front of the camera of a phone that has none; null: the person goes away. */
export type Stage = () => Scene | null

const usual: Stage = () => ({ people: ['holder'], sort: 'live' })

const add = (
  vendor: string,
  stage: Stage,
  capture: (session: BiometricSession, scene: Scene) => Promise<unknown>,
): BiometricCapture => ({
  version: SDK_VERSION,
  vendor,
  capture: async (session) => {
    const scene = stage()
    if (scene === null) return 'cancelled'
    try {
      await capture(session, scene)
      return 'captured'
    } catch {
      return 'unavailable'
    }
  },
})

const detail = ({ details }: BiometricSession, name: string): string => details[name] ?? ''

/** For AWS as it is played: where its streaming service is. */
export const playedAwsCapture = (endpoint: string, stage: Stage = usual): BiometricCapture =>
  add('aws_rekognition', stage, (session, scene) =>
    captureForAws({
      endpoint,
      region: detail(session, 'region'),
      sessionId: detail(session, 'sessionId'),
      credentials: {
        accessKeyId: detail(session, 'accessKeyId'),
        secretAccessKey: detail(session, 'secretAccessKey'),
        sessionToken: detail(session, 'sessionToken'),
      },
      scene,
    }),
  )

/** For Azure as it is played: the token says where. */
export const playedAzureCapture = (stage: Stage = usual): BiometricCapture =>
  add('azure_face', stage, (session, scene) =>
    captureForAzure({ authToken: detail(session, 'authToken'), scene }),
  )

/** For the sandbox of a service on the sandbox ledger. */
export const sandboxCapture = (baseUrl: string, stage: Stage = usual): BiometricCapture =>
  add('sandbox', stage, async (session, { people, sort }) => {
    const scene = sort === 'live' ? (people.includes('holder') ? 'holder' : 'stranger') : 'picture'
    const answer = await fetch(`${baseUrl}/sandbox/faces/${detail(session, 'sessionId')}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: detail(session, 'token'), scene }),
    })
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`)
  })
