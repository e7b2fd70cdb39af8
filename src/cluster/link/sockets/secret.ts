import { createHash, hkdfSync } from 'node:crypto'

/** What one line of the secret's file becomes; the line itself is not kept. */
export type LinkSecret = {
  /** Goes over the network in clear, so that the other side knows which of its secrets is meant; says nothing of it. */
  readonly id: string
  readonly tlsKey: Buffer
  readonly proofKey: Buffer
}

const SECRET_BYTES_MIN = 32
const SECRET_BYTES_MAX = 1_024
const KEY_BYTES = 32
const ID_BYTES = 8

/** The file cannot be used; the message is one sentence for the operator, without anything of the content. */
export class LinkSecretError extends Error {
  override readonly name = 'LinkSecretError'
}

export const linkSecret = (text: string): LinkSecret => ({
  id: derived(text, 'id', ID_BYTES).toString('hex'),
  tlsKey: derived(text, 'tls', KEY_BYTES),
  proofKey: derived(text, 'proof', KEY_BYTES),
})

/** The first one proves, all are accepted. */
export const parseSecrets = (file: string, content: string): readonly LinkSecret[] => {
  const lines = content.split('\n').map((line) => line.trim())
  const texts = lines.filter((line) => line !== '')
  if (texts.length < 1 || texts.length > 2)
    throw new LinkSecretError(
      `${file} must have one line with the secret of the cluster, or two while it changes.`,
    )
  for (const text of texts) {
    const bytes = Buffer.byteLength(text)
    if (bytes < SECRET_BYTES_MIN || bytes > SECRET_BYTES_MAX)
      throw new LinkSecretError(
        `${file} has a secret of ${bytes} bytes: it needs ${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX}, such as the output of "openssl rand -base64 48 | tr -d '\\n'".`,
      )
  }
  return texts.map(linkSecret)
}

const derived = (text: string, purpose: string, bytes: number): Buffer => {
  const key = createHash('sha256').update('vouchsafe cluster secret').update(text).digest()
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `vouchsafe link ${purpose}`, bytes))
}
