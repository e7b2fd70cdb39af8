import { OPERATORS } from '../../domain/operators.ts'
import type { ApiPorts } from '../kind-ports.ts'
import type { Realm } from '../roster/rules.ts'

const CHARACTERS_MAX = 254
const ADDRESS = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,253}$/u

/** One spelling for one address; null for what is none. */
export const normalEmailAddress = (text: string): string | null => {
  const address = text.trim().normalize('NFC').toLowerCase()
  return Array.from(address).length <= CHARACTERS_MAX && ADDRESS.test(address) ? address : null
}

/** Keyed, so that no address is found by trying; the same address has another one in each organisation. */
export const emailFingerprint = (
  { vault }: Pick<ApiPorts, 'vault'>,
  realm: Realm,
  address: string,
): Promise<string> => vault.fingerprint(OPERATORS, `${realm ?? OPERATORS}\n${address}`)
