import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url')

/** A device with one passkey (ES256, no attestation), and the browser it is plugged into. */
export const softwareAuthenticator = (origin: string, counts = true) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  let counter = 0
  const head = (flags: number, rpId: string): Buffer => {
    const data = Buffer.alloc(37)
    sha256(rpId).copy(data)
    data.writeUInt8(flags, 32)
    if (counts) counter += 1
    data.writeUInt32BE(counter, 33)
    return data
  }
  const clientData = (type: string, challenge: string): string =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false })
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const

  const make = (challenge: string, rpId: string): RegistrationResponseJSON => {
    // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const length = Buffer.from([0, credentialId.length])
    const data = Buffer.concat([head(0x41, rpId), Buffer.alloc(16), length, credentialId, key])
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    const clientDataJSON = base64url(clientData('webauthn.create', challenge))
    const response: RegistrationResponseJSON['response'] = {
      clientDataJSON,
      attestationObject: base64url(attestationObject),
      transports: ['usb'],
    }
    return { ...shared, response }
  }

  const use = (challenge: string, rpId: string): AuthenticationResponseJSON => {
    const data = head(0x01, rpId)
    const client = clientData('webauthn.get', challenge)
    const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey)
    const response = {
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    }
    return { ...shared, response }
  }
  return { make, use, credentialId: id }
}
