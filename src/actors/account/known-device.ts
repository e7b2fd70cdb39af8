// A known device is a browser in which somebody has signed in to the account completely; a cookie says so.
import { randomBytes } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import type { TokenTags } from '../tokens.ts'
import type { AccountRecord } from './state.ts'

const DEVICE_BYTES = 16
const LIFE_SECONDS = limits.knownDeviceDays * 86_400
const VALUE = /^[\w-]{22}\.[0-9a-z]{1,11}[\w-]{16}$/

/** The account whose device it is, and what the tag of its cookie is bound to. */
export type DeviceOwner = { readonly accountId: string; readonly account: Pick<AccountRecord, 'private'> }

/**
 * The device that a caller's cookies name; null without one that is good. It is no factor and opens nothing: it has a
 * count of attempts of its own, so that who attacks the account from elsewhere does not lock its owner out.
 */
export const knownDevice = (
  tags: TokenTags,
  cookies: string,
  owner: DeviceOwner,
  atMs: number,
): string | null => {
  const name = nameOf(owner)
  const shown = cookies.split(';').map((each) => each.trim())
  const value = shown.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
  const purpose = purposeOf(owner)
  const text = purpose !== null && VALUE.test(value) ? tags.untagged(purpose, value) : null
  if (text === null) return null
  const [id = '', expiresAt = ''] = text.split('.')
  return atMs < Number.parseInt(expiresAt, 36) * 1_000 ? id : null
}

/** Made where a session is opened; a device that is known keeps its name, and so its count. */
export const deviceCookie = (
  tags: TokenTags,
  cookies: string,
  owner: DeviceOwner,
  atMs: number,
): string | null => {
  const purpose = purposeOf(owner)
  if (purpose === null) return null
  const id = knownDevice(tags, cookies, owner, atMs) ?? randomBytes(DEVICE_BYTES).toString('base64url')
  const expiresAt = (Math.floor(atMs / 1_000) + LIFE_SECONDS).toString(36)
  const value = tags.tagged(purpose, `${id}.${expiresAt}`)
  return `${nameOf(owner)}=${value}; Max-Age=${LIFE_SECONDS}; Path=/; Secure; HttpOnly; SameSite=Strict`
}

/** One for each account, because people share browsers and may have several accounts. */
const nameOf = ({ accountId }: DeviceOwner): string => `__Host-vouchsafe-device-${accountId}`

/** With another password the tag does not fit any more, so nothing has to be kept of devices to end them. */
const purposeOf = ({ accountId, account }: DeviceOwner): string | null => {
  const passwordHash = account.private?.passwordHash ?? null
  return passwordHash === null ? null : `device ${accountId} ${passwordHash}`
}
