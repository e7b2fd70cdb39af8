import { SDK_VERSION } from './version.ts'
import { WalletError } from './wallet-error.ts'

/**
 * What an add-on for checks of the face offers. It takes pictures and hands them to the vendor; the SDK sees neither them
 * nor the result.
 */
export type BiometricCapture = {
  /** Of the add-on: the same as that of the SDK, because they change together. */
  readonly version: string
  /** The vendor that it captures for, as organisations name it: `aws_rekognition`, `azure_face`, `sandbox`. */
  readonly vendor: string
  /** Runs one check in the app's window, and comes back when the vendor has what it needs. */
  capture(session: BiometricSession): Promise<BiometricOutcome>
}

/** What the vendor's own SDK needs for one session. It holds secrets that live for minutes, and is not stored. */
export type BiometricSession = {
  readonly vendor: string
  /** The names are the vendor's; they mean nothing to the SDK. */
  readonly details: Readonly<Record<string, string>>
  /** When the whole check is over. A session may end before. */
  readonly expiresAt: Date
}

export type BiometricOutcome = 'captured' | 'cancelled' | 'unavailable'

export const checkedCapture = (capture: BiometricCapture): BiometricCapture => {
  if (capture.version === SDK_VERSION) return capture
  throw new WalletError(
    'BiometricCaptureUnavailable',
    `the biometric add-on is of version ${capture.version}, the SDK of version ${SDK_VERSION}`,
    { code: 'biometric_version' },
  )
}

/** The add-ons that an app has registered, one for each vendor. */
export class BiometricCaptures {
  readonly #byVendor = new Map<string, BiometricCapture>()

  add(capture: BiometricCapture): void {
    this.#byVendor.set(capture.vendor, checkedCapture(capture))
  }

  get count(): number {
    return this.#byVendor.size
  }

  for(vendor: string): BiometricCapture {
    const capture = this.#byVendor.get(vendor)
    if (capture !== undefined) return capture
    throw new WalletError('BiometricRequired', `no biometric add-on for ${vendor} is registered`, {
      code: 'biometric_add_on_missing',
    })
  }
}
