import type { BiometricCapture, BiometricOutcome, BiometricSession } from '../core/biometric-capture.ts'
import { SDK_VERSION } from '../core/version.ts'

// The vendors have components for Swift and Kotlin, and none for React Native: an app brings a native module with one of
// these functions, which shows the vendor's screen and comes back when that is closed.

/** Around `FaceLivenessDetectorView` of Amplify UI (Swift) or `FaceLivenessDetector` (Compose). */
export type AwsLivenessModule = {
  detect(session: {
    readonly sessionId: string
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken: string
    /** ISO 8601. */
    readonly expiration: string
  }): Promise<NativeOutcome>
}

/** Around `FaceLivenessDetectorView` of the Azure AI Vision Face UI SDK, which Microsoft gives to approved customers alone. */
export type AzureLivenessModule = {
  detect(session: { readonly authToken: string }): Promise<NativeOutcome>
}

/** What the vendor's screen ended with. Of the result of the check it says nothing. */
export type NativeOutcome = 'completed' | 'cancelled' | 'denied'

const OUTCOMES: Readonly<Record<NativeOutcome, BiometricOutcome>> = {
  completed: 'captured',
  cancelled: 'cancelled',
  denied: 'unavailable',
}

export const awsCapture = (module: AwsLivenessModule): BiometricCapture => ({
  version: SDK_VERSION,
  vendor: 'aws_rekognition',
  capture: async (session) => {
    const detail = detailsOf(session)
    const ended = await module.detect({
      sessionId: detail('sessionId'),
      region: detail('region'),
      accessKeyId: detail('accessKeyId'),
      secretAccessKey: detail('secretAccessKey'),
      sessionToken: detail('sessionToken'),
      expiration: detail('credentialsExpireAt'),
    })
    return OUTCOMES[ended]
  },
})

export const azureCapture = (module: AzureLivenessModule): BiometricCapture => ({
  version: SDK_VERSION,
  vendor: 'azure_face',
  capture: async (session) => OUTCOMES[await module.detect({ authToken: detailsOf(session)('authToken') })],
})

const detailsOf =
  ({ details }: BiometricSession) =>
  (name: string): string =>
    details[name] ?? ''
