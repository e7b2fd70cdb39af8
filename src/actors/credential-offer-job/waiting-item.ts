import { KeyGone, KeyLost, KeyUnknown, type Vault } from '../../ports/vault.ts'
import { connection } from '../connection/rules.ts'
import { fingerprintOf } from '../idempotency-claim/idempotency.ts'
import type { SentItem, SentOffer } from './sent-offers.ts'

/** An item as it waits for its turn. */
export type WaitingItem = readonly [
  key: string,
  connectionId: string,
  /** Of what it says, by which its key is claimed, also where it cannot be read any more. */
  fingerprint: string,
  /** What it says, under the key of its connection; null where there is no such connection, or it is erased. */
  sealed: string | null,
]

type Keys = { readonly vault: Pick<Vault, 'open'> }

const contextOf = (key: string, fingerprint: string): string => `offer item ${fingerprint} ${key}`

/** Erasing the connection reaches what the item says at once: that is sealed by no other key alone. */
export const waitingItem = async (
  { vault }: { readonly vault: Pick<Vault, 'open' | 'fingerprint'> },
  tenant: string,
  [key, connectionId, offer]: SentItem,
): Promise<WaitingItem> => {
  const fingerprint = await fingerprintOf(vault, tenant, offer)
  const sealed = await sealedFor({ vault }, connectionId, offer, contextOf(key, fingerprint))
  return [key, connectionId, fingerprint, sealed]
}

const sealedFor = async (
  { vault }: Keys,
  connectionId: string,
  offer: string,
  context: string,
): Promise<string | null> => {
  const ref = connection.find(connectionId)
  if (ref === null) return null
  try {
    return (await vault.open(ref)).seal(offer, context)
  } catch (error) {
    if (error instanceof KeyGone || error instanceof KeyLost || error instanceof KeyUnknown) return null
    throw error
  }
}

/** Null where its connection is not there, or not any more. */
export const openItem = async (
  { vault }: Keys,
  [key, connectionId, fingerprint, sealed]: WaitingItem,
): Promise<SentOffer | null> => {
  if (sealed === null) return null
  const seal = await vault.open(connectionId)
  const text = seal.open(sealed, contextOf(key, fingerprint))
  return text === null ? null : (JSON.parse(text) as SentOffer)
}
