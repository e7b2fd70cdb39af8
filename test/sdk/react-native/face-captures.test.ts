import { describe, expect, it } from 'vitest'
import { SDK_VERSION } from '../../../sdk/core/version.ts'
import { awsCapture, azureCapture, type NativeOutcome } from '../../../sdk/react-native/face-captures.ts'

const expiresAt = new Date('2026-01-31T12:00:00Z')

describe('an add-on for phones', () => {
  it('hands the vendor’s screen what it needs, and says how it ended', async () => {
    const shown: unknown[] = []
    const ends: NativeOutcome[] = ['completed', 'cancelled', 'denied']
    const capture = awsCapture({
      detect: async (session) => {
        shown.push(session)
        return ends.shift() ?? 'denied'
      },
    })
    expect(capture).toMatchObject({ version: SDK_VERSION, vendor: 'aws_rekognition' })
    const details = {
      sessionId: 's',
      region: 'eu-west-1',
      accessKeyId: 'a',
      secretAccessKey: 'k',
      sessionToken: 't',
      credentialsExpireAt: '2026-01-31T11:45:00Z',
    }
    const outcomes = []
    for (let count = 0; count < 3; count += 1)
      outcomes.push(await capture.capture({ vendor: 'aws_rekognition', details, expiresAt }))
    expect(outcomes).toEqual(['captured', 'cancelled', 'unavailable'])
    const { credentialsExpireAt: expiration, ...rest } = details
    expect(shown[0]).toEqual({ ...rest, expiration })
  })

  it('for Azure needs its token alone', async () => {
    const capture = azureCapture({
      detect: async ({ authToken }) => (authToken === 'x' ? 'completed' : 'denied'),
    })
    expect(await capture.capture({ vendor: 'azure_face', details: { authToken: 'x' }, expiresAt })).toBe(
      'captured',
    )
  })
})
