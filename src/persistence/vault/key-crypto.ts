import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto'

export const KEY_BYTES = 32
/** Enough to distinguish the few keys of one record. */
const KEY_ID_BYTES = 6
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Nonce, key and tag: every wrapped key has this size, so that a store can overwrite one in place. */
export const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES

/** Allocated apart: a slice of Node's pool would keep eight kilobytes of other data in memory as long as the key. */
export const newKey = (): Buffer => drawRandom(Buffer.allocUnsafeSlow(KEY_BYTES))

export const newKeyId = (): string => drawRandom(Buffer.allocUnsafe(KEY_ID_BYTES)).toString('base64url')

/** Key derivation by HMAC-SHA256: one key per purpose, so that no key serves two algorithms. */
export const deriveKey = (key: Buffer, purpose: string): Buffer =>
  createHmac('sha256', key).update(purpose).digest()

/**
 * Encrypts with AES-256-GCM and a random 96-bit nonce. A key must stay far below 2^32 messages, and each does: data
 * keys seal one record, wrapping keys are derived per wrapped key, tenants seal under a key derived per context.
 */
export const encrypt = (key: Buffer, plain: Buffer | string, context: string): Buffer => {
  const text = typeof plain === 'string' ? Buffer.from(plain) : plain
  const box = Buffer.allocUnsafe(NONCE_BYTES + text.length + TAG_BYTES)
  const nonce = putNonce(box)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  cipher.update(text).copy(box, NONCE_BYTES)
  cipher.final()
  cipher.getAuthTag().copy(box, NONCE_BYTES + text.length)
  return box
}

/** Random bytes are made many at a time, because a call of the system's generator costs a third of a sealing. */
const drawn = Buffer.allocUnsafeSlow(8_192)
let nextDrawn = drawn.length

/** Fills the buffer. What was drawn is wiped behind it, so that no key stands in memory twice. */
const drawRandom = (into: Buffer): Buffer => {
  if (nextDrawn + into.length > drawn.length) {
    randomFillSync(drawn)
    nextDrawn = 0
  }
  const end = nextDrawn + into.length
  drawn.copy(into, 0, nextDrawn, end)
  drawn.fill(0, nextDrawn, end)
  nextDrawn = end
  return into
}

const putNonce = (box: Buffer): Buffer => drawRandom(box.subarray(0, NONCE_BYTES))

/** Null when key, context or ciphertext differ from those of the encryption. */
export const decrypt = (key: Buffer, box: Buffer, context: string): Buffer | null => {
  if (box.length < NONCE_BYTES + TAG_BYTES) return null
  const end = box.length - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(box.subarray(end))
  const plain = decipher.update(box.subarray(NONCE_BYTES, end))
  try {
    decipher.final()
  } catch {
    return null
  }
  return plain
}
