import { randomBytes } from 'node:crypto'
import type { AgentContext } from '@credo-ts/core'
import { Kms } from '@credo-ts/core'
import sodium from 'sodium-native'
import {
  curveOf,
  openAnonymous,
  openBetween,
  openContent,
  sealAnonymous,
  sealBetween,
  sealContent,
} from './envelope-crypto.ts'
import type { KeyStore, StoredKey } from './key-store.ts'

const BACKEND = 'vouchsafe'

/** What a wallet needs of a key management: Ed25519 keys that sign, and that open envelopes after conversion. */
export class SodiumKeyManagement implements Kms.KeyManagementService {
  readonly backend = BACKEND
  readonly #keys: KeyStore

  constructor(keys: KeyStore) {
    this.#keys = keys
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
    const key = this.#keys.create(kid, Buffer.from(d, 'base64url'))
    return { keyId: key.id, publicJwk: jwkOf(key) } as unknown as Kms.KmsImportKeyReturn<Jwk>
  }

  async deleteKey(_context: AgentContext, { keyId }: Kms.KmsDeleteKeyOptions): Promise<boolean> {
    return this.#keys.delete(keyId)
  }

  async sign(_context: AgentContext, { keyId, data }: Kms.KmsSignOptions): Promise<Kms.KmsSignReturn> {
    const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
    sodium.crypto_sign_detached(signature, data, this.#key(keyId).secretKey)
    return { signature: Uint8Array.from(signature) }
  }

  async verify(_context: AgentContext, options: Kms.KmsVerifyOptions): Promise<Kms.KmsVerifyReturn> {
    const { key, data, signature } = options
    const publicJwk = key.publicJwk ?? jwkOf(this.#key(key.keyId ?? ''))
    if (publicJwk.kty !== 'OKP' || signature.length !== sodium.crypto_sign_BYTES) return { verified: false }
    const publicKey = Buffer.from(publicJwk.x, 'base64url')
    const verified = sodium.crypto_sign_verify_detached(signature, data, publicKey)
    return verified ? { verified, publicJwk } : { verified }
  }

  async encrypt(
    _context: AgentContext,
    { key, data, encryption }: Kms.KmsEncryptOptions,
  ): Promise<Kms.KmsEncryptReturn> {
    if (key.privateJwk) {
      const aad = 'aad' in encryption && encryption.aad ? encryption.aad : null
      return bytes(sealContent(data, Buffer.from(key.privateJwk.k, 'base64url'), aad))
    }
    if (key.keyAgreement?.algorithm !== 'ECDH-HSALSA20') throw unsupported()
    const { keyId, externalPublicJwk } = key.keyAgreement
    const theirs = Buffer.from(externalPublicJwk.x, 'base64url')
    if (!keyId) return bytes({ encrypted: sealAnonymous(data, theirs) })
    return bytes(sealBetween(data, theirs, curveOf(this.#key(keyId))))
  }

  async decrypt(_context: AgentContext, options: Kms.KmsDecryptOptions): Promise<Kms.KmsDecryptReturn> {
    const { key, encrypted, decryption } = options
    if (key.privateJwk) {
      if (decryption.algorithm !== 'C20P') throw unsupported()
      const content = { encrypted, iv: decryption.iv, tag: decryption.tag }
      return {
        data: Uint8Array.from(
          openContent(content, Buffer.from(key.privateJwk.k, 'base64url'), decryption.aad ?? null),
        ),
      }
    }
    if (key.keyAgreement?.algorithm !== 'ECDH-HSALSA20') throw unsupported()
    const { keyId, externalPublicJwk } = key.keyAgreement
    const own = curveOf(this.#key(keyId))
    if (!externalPublicJwk) return { data: Uint8Array.from(openAnonymous(encrypted, own)) }
    const iv = 'iv' in decryption ? decryption.iv : undefined
    if (!iv) throw unsupported()
    return {
      data: Uint8Array.from(openBetween(encrypted, iv, Buffer.from(externalPublicJwk.x, 'base64url'), own)),
    }
  }

  randomBytes(_context: AgentContext, { length }: Kms.KmsRandomBytesOptions): Kms.KmsRandomBytesReturn {
    return Uint8Array.from(randomBytes(length))
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
  x: key.publicKey.toString('base64url'),
  kid: key.id,
})

/** Credo's types ask for arrays that own their buffer. */
const bytes = (parts: { encrypted: Buffer; iv?: Buffer; tag?: Buffer }): Kms.KmsEncryptReturn => ({
  encrypted: Uint8Array.from(parts.encrypted),
  ...(parts.iv ? { iv: Uint8Array.from(parts.iv) } : {}),
  ...(parts.tag ? { tag: Uint8Array.from(parts.tag) } : {}),
})

const unsupported = (): Error => new Kms.KeyManagementError('the wallet has no use for this algorithm')
