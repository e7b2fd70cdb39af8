import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { EnvelopeRefused, pack, senderOf, unpack } from '../../src/didcomm/envelope.ts'
import type { KeyPair } from '../../src/didcomm/keys.ts'
import { createKeyPair } from '../../src/didcomm/keys.ts'

const keyring =
  (...pairs: KeyPair[]) =>
  (key: string): KeyPair | null =>
    pairs.find((pair) => pair.publicKeyBase58 === key) ?? null

describe('a DIDComm envelope', () => {
  const [alice, bob, carol] = [createKeyPair(), createKeyPair(), createKeyPair()]
  const text = JSON.stringify({ greeting: 'Grüße', filler: 'x'.repeat(5000) })

  it('opens for each recipient and names the sender', () => {
    const envelope = pack(text, [bob.publicKeyBase58, carol.publicKeyBase58], alice)
    for (const reader of [bob, carol]) {
      expect(unpack(envelope, keyring(reader))).toEqual({
        message: text,
        senderKey: alice.publicKeyBase58,
        recipientKey: reader.publicKeyBase58,
      })
    }
  })

  it('can be anonymous', () => {
    expect(unpack(pack(text, [bob.publicKeyBase58], null), keyring(bob))).toMatchObject({
      message: text,
      senderKey: null,
    })
  })

  it('names its sender without its ciphertext, to its recipients alone', () => {
    const headOf = (sender: KeyPair | null): string => {
      const whole = JSON.parse(pack(text, [bob.publicKeyBase58], sender)) as object
      return JSON.stringify({ ...whole, ciphertext: '' })
    }
    expect(senderOf(headOf(alice), keyring(bob))).toBe(alice.publicKeyBase58)
    expect(senderOf(headOf(alice), keyring(carol))).toBeNull()
    expect(senderOf(headOf(null), keyring(bob))).toBeNull()
  })

  it('names no sender who has not sealed it', () => {
    const sealed = (sender: KeyPair) =>
      JSON.parse(pack(text, [bob.publicKeyBase58], sender)) as { readonly protected: string }
    type Header = { recipients: [{ encrypted_key: string; header: { iv: string; sender: string } }] }
    const headerOf = (sender: KeyPair) =>
      JSON.parse(Buffer.from(sealed(sender).protected, 'base64url').toString()) as Header
    const [forged, alices] = [headerOf(carol), headerOf(alice)]
    forged.recipients[0].header.sender = alices.recipients[0].header.sender
    const header = Buffer.from(JSON.stringify(forged)).toString('base64url')
    const head = JSON.stringify({ ...sealed(carol), protected: header, ciphertext: '' })
    expect(() => senderOf(head, keyring(bob))).toThrow(/undecipherable/)
  })

  it('is malformed when it, or what it protects, has more properties than envelopes have', () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`n${index}`, 0]))
    const whole = JSON.parse(pack(text, [bob.publicKeyBase58], alice)) as { readonly protected: string }
    const header = JSON.parse(Buffer.from(whole.protected, 'base64url').toString()) as object
    const wide = Buffer.from(JSON.stringify({ ...header, ...many })).toString('base64url')
    for (const envelope of [
      { ...whole, ...many },
      { ...whole, protected: wide },
    ])
      expect(() => unpack(JSON.stringify(envelope), keyring(bob))).toThrow(/malformed/)
  })

  it('stays closed for everybody else', () => {
    const envelope = pack(text, [bob.publicKeyBase58], alice)
    expect(() => unpack(envelope, keyring(carol))).toThrow(/unknown recipient/)
  })

  it('reads padded base64 of other agents', () => {
    const envelope = JSON.parse(pack(text, [bob.publicKeyBase58], alice)) as Record<string, string>
    const padded = (value: string): string => value + '='.repeat((4 - (value.length % 4)) % 4)
    const other = {
      ...envelope,
      iv: padded(envelope['iv'] ?? ''),
      ciphertext: padded(envelope['ciphertext'] ?? ''),
    }
    expect(unpack(JSON.stringify(other), keyring(bob)).message).toBe(text)
  })

  it('refuses every envelope with one byte changed, and never with another kind of error', () => {
    const envelope = pack('{"a":1}', [bob.publicKeyBase58], alice)
    for (let at = 0; at < envelope.length; at += 1) {
      const changed = `${envelope.slice(0, at)}${envelope[at] === 'A' ? 'B' : 'A'}${envelope.slice(at + 1)}`
      try {
        // Unused bits at the end of a base64 text are the only bytes that carry nothing.
        expect(unpack(changed, keyring(bob)).message).toBe('{"a":1}')
      } catch (error) {
        expect(error, `byte ${at}`).toBeInstanceOf(EnvelopeRefused)
      }
    }
  })

  it('refuses noise and hostile shapes', () => {
    const inputs = [
      '',
      '{}',
      '[]',
      'null',
      '7',
      randomBytes(100).toString('latin1'),
      '{"protected":"e30"}',
      '{"protected":5}',
      JSON.stringify({
        protected: Buffer.from(
          '{"enc":"xchacha20poly1305_ietf","alg":"Authcrypt","recipients":[null]}',
        ).toString('base64url'),
      }),
    ]
    for (const input of inputs) expect(() => unpack(input, keyring(bob)), input).toThrow(EnvelopeRefused)
  })
})
