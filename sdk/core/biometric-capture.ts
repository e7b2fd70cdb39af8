import { SDK_VERSION } from './version.ts'
import { WalletError } from './wallet-error.ts'

/**
 * What an add-on for checks of the face offers. It takes pictures and hands them to the vendor; the SDK sees neither them
 * nor the result.
 */
export type BiometricCapture = {
  /** Of the add-on: the same as that of the SDK, because they change together. */
  readonly version: string
  /** Runs one check in the app's window, and comes back when the vendor has what it needs. */
  capture(session: BiometricSession): Promise<BiometricOutcome>
}

/** What the vendor needs to know which check this is; it means nothing to the SDK. */
export type BiometricSession = { readonly id: string; readonly expiresAt: Date }

export type BiometricOutcome = 'captured' | 'cancelled' | 'unavailable'

export const checkedCapture = (capture: BiometricCapture): BiometricCapture => {
  if (capture.version === SDK_VERSION) return capture
  throw new WalletError(
    'BiometricCaptureUnavailable',
    `the biometric add-on is of version ${capture.version}, the SDK of version ${SDK_VERSION}`,
    { code: 'biometric_version' },
  )
}
