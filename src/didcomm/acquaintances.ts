import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import sodium from 'sodium-native'
import { contentOf, decode, encode, type ReadEnvelope, type Recipient, seal, sealedFor } from './envelope.ts'
import { boxPublicKey, boxSecretKey, type KeyPair, type OwnKey, pairOf } from './keys.ts'

/** Some 20 MB at most. */
const KNOWN_MAX = 32_768
/** Secrets of who is silent for so long leave memory, at the next look for such. */
const KNOWN_MS = 600_000
const KNOWN_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 60_000

/** Our side of it: the pair is made where it is needed, which is seldom. */
export type OwnSide = { readonly ownKey: string; readonly pair: () => KeyPair }

export const ownSideOf = ({ ownKey, ownSeed }: OwnKey): OwnSide => ({ ownKey, pair: () => pairOf(ownSeed) })

/** Of those who only listen the name of the sender is never sealed. */
type Acquaintance = { readonly sharedKey: Buffer; sealedSender: string | null }

/**
 * Who writes to us again and again, and hears from us, without anybody in between. Each envelope of two sides is sealed with
 * one key that only the two can work out, which costs more than all else in a short envelope; here it is kept. In those to
 * the other side the name of the sender is the same sealed text each time: whoever carried them could tell that they are of
 * one sender, so what goes by way of somebody else's mediator is packed by `pack`.
 */
export class Acquaintances {
  readonly #known: LRUCache<string, Acquaintance>
  #isLookedAt = false

  constructor(clock: { readonly now: () => number } = performance) {
    this.#known = new LRUCache({
      max: KNOWN_MAX,
      ttl: KNOWN_MS,
      ttlResolution: KNOWN_WITHIN_MS,
      updateAgeOnGet: true,
      perf: clock,
      dispose: ({ sharedKey }) => sodium.sodium_memzero(sharedKey),
    })
  }

  /** What `pack` makes, for one recipient. */
  pack(message: string, theirKey: string, own: OwnSide): string {
    const known = this.#of(theirKey, own)
    const { sharedKey } = known
    const sender = (known.sealedSender ??= encode(seal(own.ownKey, boxPublicKey(theirKey))))
    return sealedFor(message, 'Authcrypt', (contentKey) => {
      const nonce = randomBytes(sodium.crypto_box_NONCEBYTES)
      const sealedKey = Buffer.alloc(contentKey.length + sodium.crypto_box_MACBYTES)
      sodium.crypto_secretbox_easy(sealedKey, contentKey, nonce, sharedKey)
      const header = { kid: theirKey, iv: encode(nonce), sender }
      return [{ encrypted_key: encode(sealedKey), header }]
    })
  }

  /** The message in an envelope that the holder of their key has sealed for us, or we for ourselves; null in any other. */
  open(envelope: ReadEnvelope, theirKey: string, own: OwnSide): string | null {
    const { recipients, alg } = envelope.head.header
    const recipient = recipients.find(({ header }) => header.kid === own.ownKey)
    if (alg !== 'Authcrypt' || recipient === undefined) return null
    const contentKey = contentKeyIn(recipient, this.#of(theirKey, own).sharedKey)
    return contentKey === null ? null : contentOf(envelope, contentKey)
  }

  #of(theirKey: string, { ownKey, pair }: OwnSide): Acquaintance {
    const name = `${ownKey} ${theirKey}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const made: Acquaintance = { sharedKey: sharedKeyOf(boxPublicKey(theirKey), pair()), sealedSender: null }
    this.#known.set(name, made)
    this.#lookLater()
    return made
  }

  /** Nobody asks for the secrets of who is silent, so they are looked for as long as there are any. */
  #lookLater(): void {
    if (this.#isLookedAt) return
    this.#isLookedAt = true
    const look = (): void => {
      this.#isLookedAt = false
      this.#known.purgeStale()
      if (this.#known.size > 0) this.#lookLater()
    }
    setTimeout(look, LOOK_EVERY_MS).unref()
  }
}

const contentKeyIn = ({ encrypted_key, header }: Recipient, sharedKey: Buffer): Buffer | null => {
  const [sealedKey, nonce] = [decode(encrypted_key), decode(header.iv)]
  const length = sodium.crypto_aead_chacha20poly1305_ietf_KEYBYTES
  if (sealedKey.length !== length + sodium.crypto_box_MACBYTES) return null
  if (nonce.length !== sodium.crypto_box_NONCEBYTES) return null
  const contentKey = Buffer.alloc(length)
  return sodium.crypto_secretbox_open_easy(contentKey, sealedKey, nonce, sharedKey) ? contentKey : null
}

const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const
/** Where the words of the constant stand in a block of Salsa20, and those of nonce and counter, which are zero here. */
const CONSTANT_AT = [0, 5, 10, 15] as const
const INPUT_AT = [6, 7, 8, 9] as const

/**
 * The key of libsodium's box for two sides (`crypto_box_beforenm`, which sodium-native leaves out): HSalsa20 of their product.
 * HSalsa20 is a block of Salsa20 without the addition of what went in, so that is subtracted.
 */
const sharedKeyOf = (theirs: Buffer, own: KeyPair): Buffer => {
  const [product, block, key] = [Buffer.alloc(32), Buffer.alloc(64), Buffer.alloc(32)]
  const ownSecret = boxSecretKey(own)
  sodium.crypto_scalarmult(product, ownSecret, theirs)
  sodium.crypto_stream_salsa20(block, Buffer.alloc(8), product)
  CONSTANT_AT.forEach((at, index) => {
    key.writeUInt32LE((block.readUInt32LE(4 * at) - (SIGMA[index] ?? 0)) >>> 0, 4 * index)
  })
  INPUT_AT.forEach((at, index) => block.copy(key, 16 + 4 * index, 4 * at, 4 * at + 4))
  for (const secret of [ownSecret, product, block]) sodium.sodium_memzero(secret)
  return key
}
