import type { OwnSide } from '../../didcomm/acquaintances.ts'
import { keyPairFromSeed } from '../../didcomm/keys.ts'

/** A key of ours as a mailbox keeps it. */
export type OwnKey = { readonly ownKey: string; readonly ownSeed: string }

export const ownSideOf = ({ ownKey, ownSeed }: OwnKey): OwnSide => ({
  ownKey,
  pair: () => keyPairFromSeed(Buffer.from(ownSeed, 'base64url')),
})
