import type { Scene } from '../people/camera.ts'
import { jsonOf } from '../wire/json.ts'
import { DEVICE_PATH } from './azure-desk.ts'

export type AzureCapture = {
  /** All that the vendor's SDK is given. */
  readonly authToken: string
  /** Who is in front of this camera, where the simulator's own setting is not meant. */
  readonly scene?: Scene
}

/** Of the outcome the app learns no more than this. */
export type AzureCaptured = { readonly resultId: string; readonly digest: string }

/** What the vendor's SDK in the app does: it lets the person at the camera do the check once. */
export const captureForAzure = async ({ authToken, scene }: AzureCapture): Promise<AzureCaptured> => {
  const claims = jsonOf(Buffer.from(authToken.split('.')[1] ?? '', 'base64url').toString())
  const response = await fetch(new URL(DEVICE_PATH, String(claims?.['cognitive-services-endpoint'])), {
    method: 'POST',
    headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scene }),
  })
  const answer = (await response.json()) as AzureCaptured & { readonly error?: { readonly message: string } }
  if (!response.ok) throw new Error(`${response.status}: ${answer.error?.message}`)
  return { resultId: answer.resultId, digest: answer.digest }
}
