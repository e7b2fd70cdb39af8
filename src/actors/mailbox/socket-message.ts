import { limits } from '../../domain/limits.ts'
import { scanJson } from '../../http/route/json-body.ts'

const decoder = new TextDecoder('utf-8', { fatal: false })
/** The one text of an envelope that may be long. */
const CIPHERTEXT = ['ciphertext']

/** The same sizes and depths as of a POST; null for what is refused before it is opened. */
export const envelopeIn = (message: Uint8Array): string | null =>
  scanJson(message, CIPHERTEXT).flaw === null ? decoder.decode(message) : null

export const isLarge = ({ byteLength }: Uint8Array): boolean => byteLength > limits.strangerEnvelopeBytesMax
