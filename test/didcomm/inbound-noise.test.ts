import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pack } from '../../src/didcomm/envelope.ts'
import { didCommServiceOf, signingKeysOf } from '../../src/didcomm/did-document.ts'
import { multibaseKey } from '../../src/didcomm/keys.ts'
import { longFormDid } from '../../src/didcomm/peer-did.ts'
import { signAttachment } from '../../src/didcomm/signed-attachment.ts'
import {
  connectionId,
  credentialId,
  inboundWorld,
  invitationId,
  own,
  proofId,
  wallet,
  from,
} from '../actors/inbound-world.ts'

const RUNS = 300
const seed = Date.now() % 1_000_000_007
const { receive } = inboundWorld()

/** Values that trip code which takes a field for what it should be. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    { toString: 1, valueOf: 2 },
    { length: -1, slice: 1, startsWith: 1 },
    [null],
    '__proto__',
    '\ud800',
    '1'.repeat(32),
    wallet.publicKeyBase58,
    'did:key:z',
    'did:peer:4z',
    '#k',
    'x'.repeat(30_000),
    'e30=',
  ),
)
/** A record with the fields that are looked for, each of them there, missing or odd. */
const record = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fc.oneof(value, odd)])), {
    requiredKeys: [],
  })
const some = (value: fc.Arbitrary<unknown>) => fc.array(value, { maxLength: 3 })

const method = record({
  id: fc.constant('#k'),
  type: fc.constantFrom('Ed25519VerificationKey2018', 'X25519KeyAgreementKey2019'),
  publicKeyBase58: fc.constantFrom(wallet.publicKeyBase58, '1'.repeat(32)),
  publicKeyMultibase: odd,
})
const service = record({
  type: fc.constantFrom('did-communication', 'IndyAgent'),
  serviceEndpoint: fc.constantFrom<unknown>(
    'https://wallet.example',
    { uri: 'http://x' },
    [{ uri: 'wss://x' }],
    'didcomm:transport/queue',
    'javascript:1',
  ),
  priority: fc.nat(),
  recipientKeys: some(fc.constantFrom(wallet.publicKeyBase58, '#k')),
  routingKeys: some(odd),
})
const document = record({
  service: some(service),
  authentication: some(method),
  verificationMethod: some(method),
  publicKey: some(method),
})
const did = fc.oneof(
  document.map((each) => longFormDid((each ?? {}) as Record<string, unknown>)),
  service.map((each) => {
    const encoded = Buffer.from(JSON.stringify(each) ?? '').toString('base64url')
    return `did:peer:2.V${multibaseKey(wallet.publicKeyBase58)}.S${encoded}`
  }),
  fc.constantFrom('WgWxqztrNooG92RXvxSTWv', 'did:peer:2.', 'did:peer:2.Vz', 'did:peer:2.S.S'),
)
const signed = document.map((each) =>
  signAttachment('d', JSON.stringify(each ?? null), 'application/json', wallet),
)
const attachment = record({
  '@id': fc.constant('a'),
  data: record({ base64: fc.constant('e30='), json: odd, jws: odd }),
})
const format = record({
  attach_id: fc.constant('a'),
  format: fc.constantFrom('anoncreds/credential-request@v1.0', 'anoncreds/proof@v1.0', 'hlindy/proof@v2.0'),
})
const message = record({
  '@id': fc.constant('m'),
  '@type': fc
    .constantFrom(
      'didexchange/1.1/request',
      'didexchange/1.1/complete',
      'connections/1.0/request',
      'trust_ping/1.0/ping',
      'discover-features/1.0/query',
      'discover-features/2.0/queries',
      'out-of-band/1.1/handshake-reuse',
      'did-rotate/1.0/rotate',
      'basicmessage/1.0/message',
      'issue-credential/2.0/request-credential',
      'issue-credential/2.0/problem-report',
      'present-proof/2.0/presentation',
    )
    .map((type) => `https://didcomm.org/${type}`),
  '~thread': record({ thid: fc.constantFrom(credentialId, proofId), pthid: fc.constant(invitationId) }),
  '~transport': record({ return_route: fc.constantFrom('all', 'thread'), return_route_thread: odd }),
  did,
  to_did: did,
  connection: record({ DID: fc.constant('WgWxqztrNooG92RXvxSTWv'), DIDDoc: document }),
  response_requested: fc.boolean(),
  query: fc.constant('https://didcomm.org/*'),
  queries: some(record({ 'feature-type': fc.constant('protocol'), match: fc.constant('*') })),
  'did_doc~attach': signed,
  label: fc.constant('Phone'),
  description: record({ code: fc.constant('x'), en: fc.constant('y') }),
  formats: some(format),
  'requests~attach': some(attachment),
  'presentations~attach': some(attachment),
})

/** The answers that a wallet can get; what is sealed for it tells nobody else anything. */
const read = async (address: string, envelope: string): Promise<void> => {
  const received = await receive(address, envelope, from)
  if (typeof received === 'string') expect(['accepted', 'refused']).toContain(received)
  else expect(['reason', 'answer', 'retryAfterMs']).toContain(Object.keys(received).join())
}
const settings = { seed, numRuns: RUNS }
const addresses = fc.constantFrom(invitationId, connectionId)

describe(`whatever a wallet sends (seed ${seed})`, () => {
  it('is accepted or refused, and never a failure: messages', async () => {
    const property = fc.asyncProperty(addresses, message, (address, each) =>
      read(address, pack(JSON.stringify(each) ?? 'null', [own.publicKeyBase58], wallet)),
    )
    await fc.assert(property, settings)
  })

  it('has a service and keys, or none, and nothing stumbles over it: documents', () => {
    const property = fc.property(document, (each) => {
      const found = didCommServiceOf(each)
      if (found !== null) expect(found.recipientKeys).toContain(wallet.publicKeyBase58)
      for (const key of signingKeysOf(each)) expect(key).toBeTypeOf('string')
    })
    fc.assert(property, settings)
  })

  it('is accepted or refused, and never a failure: envelopes', async () => {
    const header = record({
      enc: fc.constant('xchacha20poly1305_ietf'),
      alg: fc.constantFrom('Authcrypt', 'Anoncrypt'),
      recipients: some(
        record({
          encrypted_key: fc.base64String(),
          header: record({ kid: fc.constant(own.publicKeyBase58), iv: odd, sender: odd }),
        }),
      ),
    })
    const envelope = record({
      protected: header.map((each) => Buffer.from(JSON.stringify(each) ?? '').toString('base64url')),
      iv: fc.constant('AAAAAAAAAAAAAAAA'),
      tag: fc.constant('AAAAAAAAAAAAAAAAAAAAAA'),
      ciphertext: fc.base64String(),
    })
    const property = fc.asyncProperty(addresses, fc.oneof(envelope, odd), (address, each) =>
      read(address, JSON.stringify(each) ?? ''),
    )
    await fc.assert(property, settings)
  })
})
