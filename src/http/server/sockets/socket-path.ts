import { limits } from '../../../domain/limits.ts'
import type { SocketDoor } from '../../../ports/sockets.ts'

/** The address that all wallets share; behind it stand those of single ones. */
export const SHARED_PATH = '/didcomm'

/** What a path names; undefined where no socket may be opened. */
export const addressIn = (path: string, door: Pick<SocketDoor, 'isAddress'>): string | null | undefined => {
  if (path === SHARED_PATH) return null
  if (!path.startsWith(`${SHARED_PATH}/`)) return undefined
  const address = path.slice(SHARED_PATH.length + 1)
  return door.isAddress(address) ? address : undefined
}

/** The same sizes as of a POST: whoever writes to the address of all is a stranger. */
export const messageBytesMaxAt = (address: string | null): number =>
  address === null ? limits.strangerEnvelopeBytesMax : limits.envelopeBytesMax
