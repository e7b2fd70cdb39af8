import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { PLATFORM } from '../domain/operators.ts'
import type { Vault } from '../ports/vault.ts'

/** PKCS #8 around the 32 bytes of an Ed25519 key. */
const HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Every node derives the same key from the vault, so that none has to be brought to it. */
export const genesisSigner = async (
  vault: Vault,
): Promise<{ readonly sign: (genesis: string) => string; readonly signingPublicKey: string }> => {
  const seed = Buffer.from(await vault.fingerprint(PLATFORM, 'key that signs genesis files'), 'base64url')
  const key = createPrivateKey({
    key: Buffer.concat([HEADER, seed.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    sign: (genesis) => sign(null, Buffer.from(genesis), key).toString('base64'),
    signingPublicKey: createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(),
  }
}
