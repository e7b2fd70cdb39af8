import type { AgentContext } from '@credo-ts/core'
import { Kms } from '@credo-ts/core'
import { base64UrlOf, fromBase64 } from '../bytes.ts'
import type { Cryptography } from '../ports.ts'
import type { KeyStore, StoredKey } from './key-store.ts'

const BACKEND = 'vouchsafe'
const SIGNATURE_BYTES = 64
const NONCE_BYTES = 24

/** What a wallet needs of a key management: Ed25519 keys that sign, and that open envelopes after conversion. */
export class KeyManagement implements Kms.KeyManagementService {
  readonly backend = BACKEND
  readonly #keys: KeyStore
  readonly #cryptography: Cryptography

  constructor(keys: KeyStore, cryptography: Cryptography) {
    this.#keys = keys
    this.#cryptography = cryptography
  }

  isOperationSupported(_context: AgentContext, operation: Kms.KmsOperation): boolean {
    switch (operation.operation) {
      case 'createKey':
        return operation.type.kty === 'OKP' && operation.type.crv === 'Ed25519'
      case 'importKey':
        return operation.privateJwk.kty === 'OKP' && operation.privateJwk.crv === 'Ed25519'
      case 'sign':
      case 'verify':
        return operation.algorithm === 'EdDSA' || operation.algorithm === 'Ed25519'
      case 'encrypt':
        return isEnvelope(operation.encryption.algorithm)
      case 'decrypt':
        return isEnvelope(operation.decryption.algorithm)
      default:
        return true
    }
  }

  async getPublicKey(_context: AgentContext, keyId: string): Promise<Kms.KmsJwkPublic | null> {
    const key = this.#keys.find(keyId)
    return key ? jwkOf(key) : null
  }

  async createKey<Type extends Kms.KmsCreateKeyType>(
    _context: AgentContext,
    { keyId }: Kms.KmsCreateKeyOptions<Type>,
  ): Promise<Kms.KmsCreateKeyReturn<Type>> {
    const key = this.#keys.create(keyId)
    return { keyId: key.id, publicJwk: jwkOf(key) } as unknown as Kms.KmsCreateKeyReturn<Type>
  }

  async importKey<Jwk extends Kms.KmsJwkPrivate>(
    _context: AgentContext,
    { privateJwk }: Kms.KmsImportKeyOptions<Jwk>,
  ): Promise<Kms.KmsImportKeyReturn<Jwk>> {
    const { d, kid } = privateJwk as unknown as { d: string; kid?: string }
    const key = this.#keys.create(kid, decoded(d))
    return { keyId: key.id, publicJwk: jwkOf(key) } as unknown as Kms.KmsImportKeyReturn<Jwk>
  }

  async deleteKey(_context: AgentContext, { keyId }: Kms.KmsDeleteKeyOptions): Promise<boolean> {
    return this.#keys.delete(keyId)
  }

  async sign(_context: AgentContext, { keyId, data }: Kms.KmsSignOptions): Promise<Kms.KmsSignReturn> {
    return { signature: owned(this.#cryptography.sign(data, this.#key(keyId).secretKey)) }
  }

  async verify(_context: AgentContext, options: Kms.KmsVerifyOptions): Promise<Kms.KmsVerifyReturn> {
    const { key, data, signature } = options
    const publicJwk = key.publicJwk ?? jwkOf(this.#key(key.keyId ?? ''))
    if (publicJwk.kty !== 'OKP' || signature.length !== SIGNATURE_BYTES) return { verified: false }
    const verified = this.#cryptography.verify(data, signature, decoded(publicJwk.x))
    return verified ? { verified, publicJwk } : { verified }
  }

  async encrypt(
    _context: AgentContext,
    { key, data, encryption }: Kms.KmsEncryptOptions,
  ): Promise<Kms.KmsEncryptReturn> {
    if (key.privateJwk) {
      const aad = 'aad' in encryption && encryption.aad ? encryption.aad : null
      const { encrypted, iv, tag } = this.#cryptography.sealContent(data, decoded(key.privateJwk.k), aad)
      return { encrypted: owned(encrypted), iv: owned(iv), tag: owned(tag) }
    }
    if (key.keyAgreement?.algorithm !== 'ECDH-HSALSA20') throw unsupported()
    const { keyId, externalPublicJwk } = key.keyAgreement
    const theirs = decoded(externalPublicJwk.x)
    if (!keyId) return { encrypted: owned(this.#cryptography.sealAnonymous(data, theirs)) }
    const iv = this.#cryptography.randomBytes(NONCE_BYTES)
    const own = this.#keys.curveOf(this.#key(keyId))
    return { encrypted: owned(this.#cryptography.sealBetween(data, iv, theirs, own)), iv: owned(iv) }
  }

  async decrypt(_context: AgentContext, options: Kms.KmsDecryptOptions): Promise<Kms.KmsDecryptReturn> {
    const { key, encrypted, decryption } = options
    if (key.privateJwk) {
      if (decryption.algorithm !== 'C20P') throw unsupported()
      const content = { encrypted, iv: decryption.iv, tag: decryption.tag }
      const secret = decoded(key.privateJwk.k)
      return { data: owned(this.#cryptography.openContent(content, secret, decryption.aad ?? null)) }
    }
    if (key.keyAgreement?.algorithm !== 'ECDH-HSALSA20') throw unsupported()
    const { keyId, externalPublicJwk } = key.keyAgreement
    const own = this.#keys.curveOf(this.#key(keyId))
    if (!externalPublicJwk) return { data: owned(this.#cryptography.openAnonymous(encrypted, own)) }
    const iv = 'iv' in decryption ? decryption.iv : undefined
    if (!iv) throw unsupported()
    return { data: owned(this.#cryptography.openBetween(encrypted, iv, decoded(externalPublicJwk.x), own)) }
  }

  randomBytes(_context: AgentContext, { length }: Kms.KmsRandomBytesOptions): Kms.KmsRandomBytesReturn {
    return owned(this.#cryptography.randomBytes(length))
  }

  #key(keyId: string): StoredKey {
    const key = this.#keys.find(keyId)
    if (!key) throw new Kms.KeyManagementKeyNotFoundError(keyId, [BACKEND])
    return key
  }
}

const isEnvelope = (algorithm: string): boolean => algorithm === 'C20P' || algorithm === 'XSALSA20-POLY1305'

const jwkOf = (key: StoredKey): Kms.KmsJwkPublicOkp & { kid: string } => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: base64UrlOf(key.publicKey),
  kid: key.id,
})

const decoded = (text: string): Uint8Array => {
  const bytes = fromBase64(text)
  if (bytes === null) throw new Kms.KeyManagementError('a key is no base64')
  return bytes
}

/** Credo's types ask for arrays that own their buffer. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes)

const unsupported = (): Error => new Kms.KeyManagementError('the wallet has no use for this algorithm')
