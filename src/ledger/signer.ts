import sodium from 'sodium-native'
import type { LedgerSigner } from '../ports/ledger.ts'
import { identityFromSeed } from './sandbox/identities.ts'

/** The ledger identity whose secret is a seed of 32 bytes. */
export const signerFromSeed = (seed: Uint8Array): LedgerSigner => {
  const { did, secretKey } = identityFromSeed(seed)
  return {
    did,
    sign: (input) => {
      const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
      sodium.crypto_sign_detached(signature, Buffer.from(input), secretKey)
      return signature
    },
  }
}
