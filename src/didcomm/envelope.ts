import { isOutOfBounds } from '../domain/json-bounds.ts'
import { randomBytes } from 'node:crypto'
import sodium from 'sodium-native'
import { jsonOf, type Json } from './json.ts'
import { boxPublicKey, boxSecretKey, type KeyPair } from './keys.ts'
import { composeMessage } from './message.ts'

/**
 * DIDComm v1 (RFC 0019). Its `xchacha20poly1305_ietf` is ChaCha20-Poly1305-IETF with a 12-byte nonce; only the name
 * stayed.
 */
const ENCRYPTION = 'xchacha20poly1305_ietf'
const KEY_BYTES = sodium.crypto_aead_chacha20poly1305_ietf_KEYBYTES
const NONCE_BYTES = sodium.crypto_aead_chacha20poly1305_ietf_NPUBBYTES
const RECIPIENTS_MAX = 32

export type Unpacked = {
  readonly message: string
  /** Base58 Ed25519 key of the sender; null when the sender is anonymous. */
  readonly senderKey: string | null
  readonly recipientKey: string
}

/** Why an envelope has no message for us. The error never says what was inside. */
export class EnvelopeRefused extends Error {
  override readonly name = 'EnvelopeRefused'
  readonly reason: 'malformed' | 'unknown_recipient' | 'undecipherable'
  constructor(reason: EnvelopeRefused['reason']) {
    super(`the envelope is ${reason.replace('_', ' ')}`)
    this.reason = reason
  }
}

export const pack = (message: string, recipientKeys: readonly string[], sender: KeyPair | null): string =>
  sealedFor(message, sender ? 'Authcrypt' : 'Anoncrypt', (contentKey) =>
    recipientKeys.map((key) =>
      sender ? authRecipient(key, sender, contentKey) : anonRecipient(key, contentKey),
    ),
  )

/** An envelope for recipients that each get the key of its content in a form of their own. */
export const sealedFor = (
  message: string,
  alg: Head['header']['alg'],
  recipientsOf: (contentKey: Buffer) => readonly Recipient[],
): string => {
  const random = randomBytes(KEY_BYTES + NONCE_BYTES)
  const [contentKey, nonce] = [random.subarray(0, KEY_BYTES), random.subarray(KEY_BYTES)]
  const header = { enc: ENCRYPTION, typ: 'JWM/1.0', alg, recipients: recipientsOf(contentKey) }
  const protectedText = encode(Buffer.from(JSON.stringify(header)))
  const plain = Buffer.from(message)
  const cipher = Buffer.allocUnsafe(plain.length)
  const tag = Buffer.alloc(sodium.crypto_aead_chacha20poly1305_ietf_ABYTES)
  const additional = Buffer.from(protectedText)
  sodium.crypto_aead_chacha20poly1305_ietf_encrypt_detached(
    cipher,
    tag,
    plain,
    additional,
    null,
    nonce,
    contentKey,
  )
  sodium.sodium_memzero(contentKey)
  return JSON.stringify({
    protected: protectedText,
    iv: encode(nonce),
    ciphertext: encode(cipher),
    tag: encode(tag),
  })
}

type FindKey = (recipientKey: string) => KeyPair | null

/** `findKey` returns our key pair for a recipient key, or null for the key of another recipient. */
export const unpack = (envelope: string, findKey: FindKey): Unpacked =>
  unpackRead(readEnvelope(envelope), findKey)

/** The same of one that is read already. */
export const unpackRead = ({ outer, head }: ReadEnvelope, findKey: FindKey): Unpacked => {
  for (const recipient of head.header.recipients) {
    const own = findKey(recipient.header.kid)
    if (!own) continue
    const { contentKey, senderKey } = openRecipient(recipient, own, head.header.alg)
    return { message: contentOf({ outer, head }, contentKey), senderKey, recipientKey: recipient.header.kid }
  }
  throw new EnvelopeRefused('unknown_recipient')
}

/** The key of the content is wiped. */
export const contentOf = ({ outer, head }: ReadEnvelope, contentKey: Buffer): string => {
  const { protectedText, iv, tag } = head
  const ciphertext = decode(outer['ciphertext'])
  const message = Buffer.allocUnsafe(ciphertext.length)
  try {
    sodium.crypto_aead_chacha20poly1305_ietf_decrypt_detached(
      message,
      null,
      ciphertext,
      tag,
      Buffer.from(protectedText),
      iv,
      contentKey,
    )
  } catch {
    throw new EnvelopeRefused('undecipherable')
  } finally {
    sodium.sodium_memzero(contentKey)
  }
  return message.toString('utf8')
}

/**
 * The sender for whom an envelope without its ciphertext says it was sealed. The holder of that key, or of ours, has
 * sealed the key of the content; null when nothing here opens it, or the sender is anonymous.
 */
export const senderOf = (head: string, findKey: FindKey): string | null => {
  const { header } = headOf(parseObject(head))
  for (const recipient of header.recipients) {
    const own = findKey(recipient.header.kid)
    if (!own) continue
    const { contentKey, senderKey } = openRecipient(recipient, own, header.alg)
    sodium.sodium_memzero(contentKey)
    return senderKey
  }
  return null
}

export type Recipient = {
  readonly encrypted_key: string
  readonly header: { readonly kid: string; readonly iv?: string | null; readonly sender?: string | null }
}

const authRecipient = (key: string, sender: KeyPair, contentKey: Buffer): Recipient => {
  const theirs = boxPublicKey(key)
  const nonce = randomBytes(sodium.crypto_box_NONCEBYTES)
  const sealedKey = Buffer.alloc(contentKey.length + sodium.crypto_box_MACBYTES)
  const ownSecret = boxSecretKey(sender)
  sodium.crypto_box_easy(sealedKey, contentKey, nonce, theirs, ownSecret)
  sodium.sodium_memzero(ownSecret)
  return {
    encrypted_key: encode(sealedKey),
    header: { kid: key, iv: encode(nonce), sender: encode(seal(sender.publicKeyBase58, theirs)) },
  }
}

const anonRecipient = (key: string, contentKey: Buffer): Recipient => ({
  encrypted_key: encode(seal(contentKey, boxPublicKey(key))),
  header: { kid: key },
})

export const seal = (plain: Buffer | string, theirs: Buffer): Buffer => {
  const bytes = Buffer.from(plain)
  const sealed = Buffer.alloc(bytes.length + sodium.crypto_box_SEALBYTES)
  sodium.crypto_box_seal(sealed, bytes, theirs)
  return sealed
}

const unseal = (sealed: Buffer, own: { publicKey: Buffer; secretKey: Buffer }): Buffer => {
  if (sealed.length < sodium.crypto_box_SEALBYTES) throw new EnvelopeRefused('malformed')
  const plain = Buffer.alloc(sealed.length - sodium.crypto_box_SEALBYTES)
  if (!sodium.crypto_box_seal_open(plain, sealed, own.publicKey, own.secretKey))
    throw new EnvelopeRefused('undecipherable')
  return plain
}

const openRecipient = (
  recipient: Recipient,
  pair: KeyPair,
  alg: Head['header']['alg'],
): { contentKey: Buffer; senderKey: string | null } => {
  const own = { publicKey: boxPublicKey(pair.publicKeyBase58), secretKey: boxSecretKey(pair) }
  const sealedKey = decode(recipient.encrypted_key)
  try {
    if (alg === 'Anoncrypt') return { contentKey: contentKeyOf(unseal(sealedKey, own)), senderKey: null }
    const { sender, iv } = recipient.header
    if (!sender || !iv) throw new EnvelopeRefused('malformed')
    const senderKey = unseal(decode(sender), own).toString('utf8')
    const nonce = decode(iv)
    if (nonce.length !== sodium.crypto_box_NONCEBYTES || sealedKey.length < sodium.crypto_box_MACBYTES) {
      throw new EnvelopeRefused('malformed')
    }
    const contentKey = Buffer.alloc(sealedKey.length - sodium.crypto_box_MACBYTES)
    if (!sodium.crypto_box_open_easy(contentKey, sealedKey, nonce, senderBoxKey(senderKey), own.secretKey)) {
      throw new EnvelopeRefused('undecipherable')
    }
    return { contentKey: contentKeyOf(contentKey), senderKey }
  } finally {
    sodium.sodium_memzero(own.secretKey)
  }
}

const contentKeyOf = (key: Buffer): Buffer => {
  if (key.length !== KEY_BYTES) throw new EnvelopeRefused('malformed')
  return key
}

const senderBoxKey = (senderKey: string): Buffer => {
  try {
    return boxPublicKey(senderKey)
  } catch {
    throw new EnvelopeRefused('malformed')
  }
}

type Head = {
  readonly header: { readonly alg: 'Authcrypt' | 'Anoncrypt'; readonly recipients: readonly Recipient[] }
  readonly protectedText: string
  readonly iv: Buffer
  readonly tag: Buffer
}

/** An envelope that was read and is not opened. */
export type ReadEnvelope = { readonly outer: Json; readonly head: Head }

/** Throws on what has not the form of an envelope, or names no recipient. */
export const readEnvelope = (envelope: string): ReadEnvelope => {
  const outer = parseObject(envelope)
  return { outer, head: headOf(outer) }
}

/** All of an envelope but its ciphertext; throws on what has not its form or names no recipient. */
const headOf = (outer: Json): Head => {
  const protectedText = outer['protected']
  if (typeof protectedText !== 'string') throw new EnvelopeRefused('malformed')
  const header = parseObject(decode(protectedText).toString('utf8'))
  const recipients = header['recipients']
  if (header['enc'] !== ENCRYPTION || !Array.isArray(recipients)) throw new EnvelopeRefused('malformed')
  if (recipients.length === 0 || recipients.length > RECIPIENTS_MAX || !recipients.every(isRecipient)) {
    throw new EnvelopeRefused('malformed')
  }
  const alg = header['alg']
  if (alg !== 'Authcrypt' && alg !== 'Anoncrypt') throw new EnvelopeRefused('malformed')
  const [iv, tag] = [decode(outer['iv']), decode(outer['tag'])]
  if (iv.length !== NONCE_BYTES) throw new EnvelopeRefused('malformed')
  if (tag.length !== sodium.crypto_aead_chacha20poly1305_ietf_ABYTES) throw new EnvelopeRefused('malformed')
  return { header: { alg, recipients }, protectedText, iv, tag }
}

/** Whether a text has the form of an envelope, and names recipients; asked before a record is read for its key. */
export const isEnvelope = (text: string): boolean => unlessRefused(() => hasForm(parseObject(text)))

/** The same of one that is read already. */
export const isReadEnvelope = (outer: Json): boolean => unlessRefused(() => hasForm(outer))

const hasForm = (outer: Json): boolean =>
  headOf(outer).header.recipients.length > 0 && typeof outer['ciphertext'] === 'string'

const unlessRefused = (look: () => boolean): boolean => {
  try {
    return look()
  } catch (error) {
    if (error instanceof EnvelopeRefused) return false
    throw error
  }
}

/** Of an envelope, and of what it protects: five properties for each recipient, and some. */
const BOUNDS = { properties: 1_000, entries: 1_000, numbers: 1_000 }

const isRecipient = (value: unknown): value is Recipient => {
  const recipient = value as Partial<Recipient> | null
  return typeof recipient?.encrypted_key === 'string' && typeof recipient.header?.kid === 'string'
}

const parseObject = (text: string): Json => {
  const value = isOutOfBounds(text, BOUNDS) ? null : jsonOf(text)
  if (value === null) throw new EnvelopeRefused('malformed')
  return value
}

export const encode = (bytes: Buffer): string => bytes.toString('base64url')

/** Decodes base64 and base64url, padded or not, because agents differ. */
export const decode = (text: unknown): Buffer => {
  if (typeof text !== 'string') throw new EnvelopeRefused('malformed')
  return Buffer.from(text, 'base64')
}

/** Wraps an envelope in a forward message for each mediator on the way, the last hop innermost. */
export const wrapForRoute = (
  envelope: string,
  recipientKey: string,
  routingKeys: readonly string[],
  newId: () => string,
): string => {
  let [message, target] = [envelope, recipientKey]
  for (const key of routingKeys) {
    const forward = composeMessage({
      id: newId(),
      type: 'routing/1.0/forward',
      to: target,
      msg: JSON.parse(message) as unknown,
    })
    message = pack(forward, [key], null)
    target = key
  }
  return message
}
