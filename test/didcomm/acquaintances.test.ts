import { describe, expect, it } from 'vitest'
import { Acquaintances } from '../../src/didcomm/acquaintances.ts'
import { EnvelopeRefused, pack, unpack } from '../../src/didcomm/envelope.ts'
import { createKeyPair, type KeyPair } from '../../src/didcomm/keys.ts'

const [own, theirs, stranger] = [createKeyPair(), createKeyPair(), createKeyPair()]
const ownSide = { ownKey: own.publicKeyBase58, pair: () => own }
const opened = (envelope: string, by: KeyPair) =>
  unpack(envelope, (key) => (key === by.publicKeyBase58 ? by : null))

describe('an envelope of an acquaintance', () => {
  it('is one that everybody else’s code opens', () => {
    const known = new Acquaintances()
    for (const message of ['{}', 'ä'.repeat(10_000)]) {
      const envelope = known.pack(message, theirs.publicKeyBase58, ownSide)
      expect(opened(envelope, theirs)).toEqual({
        message,
        senderKey: own.publicKeyBase58,
        recipientKey: theirs.publicKeyBase58,
      })
    }
  })

  it('is opened as it is made elsewhere, for as many recipients as it has', () => {
    const known = new Acquaintances()
    const envelope = pack('hello', [stranger.publicKeyBase58, own.publicKeyBase58], theirs)
    expect(known.open(envelope, theirs.publicKeyBase58, ownSide)).toBe('hello')
  })

  it('is of nobody else, whoever it says that it is of', () => {
    const known = new Acquaintances()
    const { publicKeyBase58: theirKey } = theirs
    expect(known.open(pack('hello', [own.publicKeyBase58], stranger), theirKey, ownSide)).toBeNull()
    expect(known.open(pack('hello', [own.publicKeyBase58], null), theirKey, ownSide)).toBeNull()
    expect(known.open(pack('hello', [stranger.publicKeyBase58], theirs), theirKey, ownSide)).toBeNull()
    // The sealed name of the sender is another's; the key of the content is not.
    const ofStranger = JSON.parse(pack('hello', [own.publicKeyBase58], stranger)) as Record<string, string>
    const ofTheirs = JSON.parse(pack('hello', [own.publicKeyBase58], theirs)) as Record<string, string>
    const headerOf = (envelope: Record<string, string>) =>
      JSON.parse(Buffer.from(envelope['protected'] ?? '', 'base64url').toString()) as {
        recipients: { encrypted_key: string; header: object }[]
      }
    const [forged, real] = [headerOf(ofStranger), headerOf(ofTheirs)]
    const [key, name] = [forged.recipients[0], real.recipients[0]]
    const header = { ...name?.header, iv: (key?.header as { iv: string } | undefined)?.iv }
    const recipients = [{ encrypted_key: key?.encrypted_key, header }]
    const head = Buffer.from(JSON.stringify({ ...forged, recipients })).toString('base64url')
    expect(known.open(JSON.stringify({ ...ofStranger, protected: head }), theirKey, ownSide)).toBeNull()
  })

  it('that was changed is refused', () => {
    const known = new Acquaintances()
    const envelope = JSON.parse(pack('hello', [own.publicKeyBase58], theirs)) as Record<string, string>
    const changed = JSON.stringify({ ...envelope, ciphertext: Buffer.from('other').toString('base64url') })
    expect(() => known.open(changed, theirs.publicKeyBase58, ownSide)).toThrow(EnvelopeRefused)
    expect(() => known.open('{}', theirs.publicKeyBase58, ownSide)).toThrow(EnvelopeRefused)
  })
})
