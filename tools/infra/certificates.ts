import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A certificate and its private key, both as PEM. */
export type Certified = { readonly certificate: string; readonly key: string }

export type Authority = Certified & {
  /** A certificate for servers and clients under these host names and addresses of IPv4. */
  issue(name: string, hosts: readonly string[]): Certified
}

const VALID_DAYS = 365
const DAY_MS = 86_400_000
const KEY_BITS = 2_048

/**
 * An authority of this machine alone, for development and tests: no openssl is asked for, and who trusts its certificate
 * trusts what it issues. RSA, because that is what every Java has without a module of its own.
 */
export const createAuthority = (name: string): Authority => {
  const { publicKey, privateKey } = newKeys()
  const issuer = { name, publicKey, privateKey }
  return {
    ...certified({ name, publicKey, privateKey, issuer, extensions: [basicConstraints, signsCertificates] }),
    issue: (subject, hosts) =>
      certified({
        name: subject,
        ...newKeys(),
        issuer,
        extensions: [isServerAndClient, alternativeNames(hosts)],
      }),
  }
}

type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
type Subject = Keys & { readonly name: string }
type Wanted = Subject & { readonly issuer: Subject; readonly extensions: readonly Buffer[] }

const newKeys = (): Keys => generateKeyPairSync('rsa', { modulusLength: KEY_BITS })

const certified = ({ name, publicKey, privateKey, issuer, extensions }: Wanted): Certified => {
  const signed = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    SHA256_WITH_RSA,
    commonName(issuer.name),
    sequence(time(Date.now() - DAY_MS), time(Date.now() + VALID_DAYS * DAY_MS)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions, subjectKey(publicKey), authorityKey(issuer.publicKey))),
  )
  const signature = sign('sha256', signed, issuer.privateKey)
  const certificate = sequence(signed, SHA256_WITH_RSA, bits(signature))
  return {
    certificate: pem('CERTIFICATE', certificate),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

const pem = (label: string, der: Buffer): string => {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** One value in DER: its tag, the number of its bytes, the bytes. */
const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const long = Buffer.alloc(4)
  long.writeUInt32BE(body.length)
  const length = long.subarray(long.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts)
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes)
const octets = (...parts: readonly Buffer[]): Buffer => tagged(0x04, ...parts)
const bits = (bytes: Buffer): Buffer => tagged(0x03, Buffer.from([0]), bytes)
/** An object identifier, from its encoded bytes in hexadecimal. */
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))
const TRUE = tagged(0x01, Buffer.from([0xff]))
const SHA256_WITH_RSA = sequence(identifier('2a864886f70d01010b'), tagged(0x05))

const commonName = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))))

const time = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)
  return tagged(0x17, Buffer.from(`${digits}Z`))
}

/** Positive, because its first bit is 0, and never shorter than it says. */
const serialNumber = (): Buffer => {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes
}

const basicConstraints = sequence(identifier('551d13'), TRUE, octets(sequence(TRUE)))
/** The sixth and the seventh bit: certificates and revocation lists. */
const signsCertificates = sequence(
  identifier('551d0f'),
  TRUE,
  octets(tagged(0x03, Buffer.from([0x01, 0x06]))),
)
const isServerAndClient = sequence(
  identifier('551d25'),
  octets(sequence(identifier('2b06010505070301'), identifier('2b06010505070302'))),
)

const alternativeNames = (hosts: readonly string[]): Buffer => {
  const names = hosts.map((host) =>
    isIPv4(host) ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host)),
  )
  return sequence(identifier('551d11'), octets(sequence(...names)))
}

const keyHash = (key: KeyObject): Buffer =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()

const subjectKey = (key: KeyObject): Buffer => sequence(identifier('551d0e'), octets(octets(keyHash(key))))
const authorityKey = (key: KeyObject): Buffer =>
  sequence(identifier('551d23'), octets(sequence(tagged(0x80, keyHash(key)))))
