import { describe, expect, it } from 'vitest'
import { type BiometricCapture, BiometricCaptures, checkedCapture } from '../../sdk/core/biometric-capture.ts'
import { SDK_VERSION } from '../../sdk/core/version.ts'

const captureOf = (version: string, vendor = 'sandbox'): BiometricCapture => ({
  version,
  vendor,
  capture: async () => 'captured',
})

describe('a biometric add-on', () => {
  it('is taken when it has the version of the SDK', () => {
    const capture = captureOf(SDK_VERSION)
    expect(checkedCapture(capture)).toBe(capture)
  })

  it.each(['0.0.1', `${SDK_VERSION}-1`, ''])('is refused when its version is %j', (version) => {
    expect(() => checkedCapture(captureOf(version))).toThrow(
      expect.objectContaining({ kind: 'BiometricCaptureUnavailable', code: 'biometric_version' }),
    )
  })

  it('is asked for by the vendor that it captures for', () => {
    const captures = new BiometricCaptures()
    const capture = captureOf(SDK_VERSION, 'azure_face')
    captures.add(capture)
    expect(captures.for('azure_face')).toBe(capture)
    expect(() => captures.for('aws_rekognition')).toThrow(
      expect.objectContaining({ kind: 'BiometricRequired' }),
    )
  })
})
