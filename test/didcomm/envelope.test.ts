import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { EnvelopeRefused, pack, unpack } from '../../src/didcomm/envelope.ts'
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
