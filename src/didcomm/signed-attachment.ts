import bs58 from 'bs58'
import { jsonOf } from './json.ts'
import type { KeyPair } from './keys.ts'
import { didKeyOf, ed25519KeyOf, signWith, verifyWith } from './keys.ts'

/** An attachment with a detached JWS (RFC 0017), signed with Ed25519. */
export type SignedAttachment = {
  readonly '@id': string
  readonly 'mime-type'?: string
  readonly data: { readonly base64: string; readonly jws: Jws }
}

type Jws = {
  readonly protected: string
  readonly signature: string
  readonly header: { readonly kid: string }
}

export const signAttachment = (
  id: string,
  payload: string,
  mimeType: string | null,
  signer: KeyPair,
): SignedAttachment => {
  const base64 = base64url(payload)
  const x = Buffer.from(bs58.decode(signer.publicKeyBase58)).toString('base64url')
  const header = base64url(JSON.stringify({ alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x } }))
  const signature = signWith(signer, Buffer.from(`${header}.${base64}`)).toString('base64url')
  const data = {
    base64,
    jws: { protected: header, signature, header: { kid: didKeyOf(signer.publicKeyBase58) } },
  }
  return mimeType === null ? { '@id': id, data } : { '@id': id, 'mime-type': mimeType, data }
}

/** The payload and the key that signed it; null when there is no valid signature. */
export const openSignedAttachment = (attachment: unknown): { payload: string; signerKey: string } | null => {
  const data = (attachment as { data?: { base64?: unknown; jws?: unknown } } | null)?.data
  const jws = (Array.isArray(data?.jws) ? data.jws[0] : data?.jws) as Partial<Jws> | undefined
  if (
    typeof data?.base64 !== 'string' ||
    typeof jws?.protected !== 'string' ||
    typeof jws.signature !== 'string'
  )
    return null
  const kid = jws.header?.kid
  const signerKey = typeof kid === 'string' ? ed25519KeyOf(kid) : null
  if (signerKey === null || !saysEdDsa(jws.protected)) return null
  const payload = Buffer.from(data.base64, 'base64')
  const signed = Buffer.from(`${jws.protected}.${payload.toString('base64url')}`)
  if (!verifyWith(signerKey, signed, Buffer.from(jws.signature, 'base64'))) return null
  return { payload: payload.toString('utf8'), signerKey }
}

const saysEdDsa = (header: string): boolean =>
  jsonOf(Buffer.from(header, 'base64').toString('utf8'))?.['alg'] === 'EdDSA'

const base64url = (text: string): string => Buffer.from(text).toString('base64url')
