/** That of the package; biometric add-ons have the same. */
export const SDK_VERSION = '0.1.0'
