import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
const SEED_BYTES = 20

export const newTotpSeed = (): string => new Secret({ size: SEED_BYTES }).base32

/** What an authenticator app reads, as a link or a QR code. */
export const totpUrl = (seed: string, label: string): string => totpOf(seed, label).toString()

/** Which step's code it is: this one's, or that of a neighbour, for clocks that differ. Null: of none of them. */
export const totpStep = (seed: string, code: string, nowMs: number): number | null => {
  const token = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(seed, '').validate({ token, timestamp: nowMs, window: 1 })
  return delta === null ? null : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta
}

const totpOf = (seed: string, label: string): TOTP =>
  new TOTP({ issuer: 'Vouchsafe', label, secret: Secret.fromBase32(seed), period: PERIOD_SECONDS })
