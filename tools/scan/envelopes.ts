import { createDecipheriv } from 'node:crypto'
import sodium from 'sodium-native'
import { boxPublicKey, boxSecretKey, pairOf } from '../../src/didcomm/keys.ts'
import type { Place } from './places.ts'

const BEGIN = Buffer.from('{"protected":"')
/** As `src/didcomm/envelope.ts` writes it; the end of its ciphertext may be missing. */
const ENVELOPE = /\{"protected":"([A-Za-z0-9_-]+)","iv":"([A-Za-z0-9_-]{16})","ciphertext":"([A-Za-z0-9_-]+)/g
/** The seeds of our keys stand among what is sealed; whatever is as long may be one. */
const SEED = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g
const SEED_BYTES = 32
const SEALED_KEY_BYTES = 32 + sodium.crypto_box_MACBYTES

type Envelope = {
  readonly name: string
  readonly head: Buffer
  readonly nonce: Buffer
  readonly cipher: Buffer
}
type Recipient = { readonly kid: string; readonly sealedKey: Buffer; readonly nonce: Buffer }

/**
 * What our own envelopes to wallets say. The key of their content is sealed between two keys, and either half opens it:
 * the wallet's, which is not here, and ours. They are opened without a look at their tags.
 */
export const envelopesIn = (places: readonly Place[], opened: readonly Place[]): readonly Place[] => {
  const envelopes = [...places, ...opened].flatMap(envelopesOf)
  if (envelopes.length === 0) return []
  const seeds = new Set(opened.flatMap(({ bytes }) => bytes.toString('latin1').match(SEED) ?? []))
  const secrets = [...seeds].flatMap(secretOf)
  return envelopes.flatMap((envelope) => openedBy(envelope, secrets))
}

const envelopesOf = ({ name, bytes }: Place): readonly Envelope[] => {
  if (!bytes.includes(BEGIN)) return []
  return [...bytes.toString('latin1').matchAll(ENVELOPE)].map(([, head = '', nonce = '', cipher = '']) => ({
    name,
    head: Buffer.from(head, 'base64url'),
    nonce: Buffer.from(nonce, 'base64url'),
    cipher: Buffer.from(cipher, 'base64url'),
  }))
}

const secretOf = (seed: string): readonly Buffer[] =>
  Buffer.from(seed, 'base64url').length === SEED_BYTES ? [boxSecretKey(pairOf(seed))] : []

const openedBy = ({ name, head, nonce, cipher }: Envelope, secrets: readonly Buffer[]): readonly Place[] => {
  for (const recipient of recipientsIn(head))
    for (const secret of secrets) {
      const key = contentKey(recipient, secret)
      if (key === null) continue
      // Its counter is at one behind the block that makes the key of the tag.
      const counter = Buffer.concat([Buffer.from([1, 0, 0, 0]), nonce])
      const bytes = createDecipheriv('chacha20', key, counter).update(cipher)
      return [{ name: `${name}, an envelope opened by its sender's key`, bytes }]
    }
  return []
}

const recipientsIn = (head: Buffer): readonly Recipient[] => {
  try {
    const { recipients } = JSON.parse(head.toString()) as {
      recipients: readonly { encrypted_key: string; header: { kid: string; iv?: string } }[]
    }
    return recipients.flatMap(({ encrypted_key: sealed, header: { kid, iv } }) =>
      iv === undefined
        ? []
        : [{ kid, sealedKey: Buffer.from(sealed, 'base64url'), nonce: Buffer.from(iv, 'base64url') }],
    )
  } catch {
    return []
  }
}

const contentKey = ({ kid, sealedKey, nonce }: Recipient, secret: Buffer): Buffer | null => {
  if (nonce.length !== sodium.crypto_box_NONCEBYTES || sealedKey.length !== SEALED_KEY_BYTES) return null
  const key = Buffer.alloc(SEALED_KEY_BYTES - sodium.crypto_box_MACBYTES)
  return sodium.crypto_box_open_easy(key, sealedKey, nonce, boxPublicKey(kid), secret) ? key : null
}
