import { OPERATORS } from '../../domain/operators.ts'
import type { AccountPorts, Realm } from './account-ports.ts'

const CHARACTERS_MAX = 254
const ADDRESS = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,253}$/u

/** One spelling for one address; null for what is none. */
export const normalAddress = (text: string): string | null => {
  const address = text.trim().normalize('NFC').toLowerCase()
  return Array.from(address).length <= CHARACTERS_MAX && ADDRESS.test(address) ? address : null
}

/** Keyed, so that nobody finds an address by trying; the same address of two organisations has two. */
export const addressPrint = (
  { vault }: Pick<AccountPorts, 'vault'>,
  realm: Realm,
  address: string,
): Promise<string> => vault.fingerprint(OPERATORS, `${realm ?? OPERATORS}\n${address}`)
