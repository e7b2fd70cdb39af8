import { fromBase64, hexOf, textOf } from '../bytes.ts'
import type { Cryptography } from '../ports.ts'
import { WalletError } from '../wallet-error.ts'
import type { Json, PlatformClient } from './platform-client.ts'

/** The ledger of the wallet, as it was read at the first start. */
export type LedgerFacts = {
  readonly indyNamespace: string
  readonly genesis: string
  readonly genesisSha256: string
  readonly signingPublicKey: string
  /** Where the ledger is read over HTTPS; null where the platform has switched it off, absent in wallets of before. */
  readonly vdrProxyUrl?: string | null
}

/** The header of an Ed25519 public key in SPKI form. */
const SPKI_HEX = '302a300506032b6570032100'

type Options = {
  readonly cryptography: Pick<Cryptography, 'sha256' | 'verify'>
  /** Where an app knows who signs genesis files, no other signer is believed, whatever the platform says. */
  readonly trustedSigningKeys: readonly string[] | null
}

/** Reads which ledger it is, and the genesis file, which is believed only with its hash and its signature. */
export const readLedgerFacts = async (client: PlatformClient, options: Options): Promise<LedgerFacts> => {
  const { indyNamespace, genesis, vdrProxyUrl } = await client.ledger()
  const { url, sha256, signatureUrl, signingPublicKey } = isJson(genesis) ? genesis : {}
  if (
    !isText(indyNamespace) ||
    !isText(url) ||
    !isText(sha256) ||
    !isText(signatureUrl) ||
    !isText(signingPublicKey)
  )
    throw notBelieved('the platform does not say which ledger it uses', 'ledger_answer_incomplete')
  if (options.trustedSigningKeys?.every((trusted) => keyIn(trusted) !== keyIn(signingPublicKey)))
    throw notBelieved(
      'the genesis file is signed with a key that the app does not trust',
      'genesis_key_foreign',
    )
  const file = await client.file(url)
  if (hexOf(options.cryptography.sha256(file)) !== sha256.toLowerCase())
    throw notBelieved('the genesis file has not the hash that the platform says', 'genesis_hash_wrong')
  const signature = fromBase64(textIn(await client.file(signatureUrl)).trim())
  const publicKey = keyBytes(signingPublicKey)
  const isSigned =
    signature?.length === 64 && publicKey !== null && options.cryptography.verify(file, signature, publicKey)
  if (!isSigned)
    throw notBelieved('the genesis file has not the signature of its signer', 'genesis_signature_wrong')
  return {
    indyNamespace,
    genesis: textIn(file),
    genesisSha256: sha256.toLowerCase(),
    signingPublicKey,
    vdrProxyUrl: isText(vdrProxyUrl) ? vdrProxyUrl : null,
  }
}

const notBelieved = (message: string, code: string): WalletError =>
  new WalletError('PlatformError', message, { code })

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

const textIn = (bytes: Uint8Array): string => {
  try {
    return textOf(bytes)
  } catch {
    throw notBelieved('a file of the ledger is no text', 'genesis_unreadable')
  }
}

/** The key in a PEM text; null for another kind of key. */
const keyBytes = (pem: string): Uint8Array | null => {
  const hex = keyIn(pem)
  if (hex === null) return null
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

const keyIn = (pem: string): string | null => {
  const body = pem.replaceAll(/-----[^-]+-----/g, '').replaceAll(/\s/g, '')
  const hex = hexOf(fromBase64(body) ?? new Uint8Array())
  return hex.startsWith(SPKI_HEX) && hex.length === SPKI_HEX.length + 64 ? hex.slice(SPKI_HEX.length) : null
}
