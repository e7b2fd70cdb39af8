import sodium from 'sodium-native'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Acquaintances } from '../../src/didcomm/acquaintances.ts'
import { EnvelopeRefused, pack, readEnvelope, unpack } from '../../src/didcomm/envelope.ts'
import { createKeyPair, type KeyPair } from '../../src/didcomm/keys.ts'

const [own, theirs, stranger] = [createKeyPair(), createKeyPair(), createKeyPair()]
const ownSide = { ownKey: own.publicKeyBase58, pair: () => own }
const opened = (envelope: string, by: KeyPair) =>
  unpack(envelope, (key) => (key === by.publicKeyBase58 ? by : null))
const openedBy = (known: Acquaintances, envelope: string) =>
  known.open(readEnvelope(envelope), theirs.publicKeyBase58, ownSide)

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
    expect(openedBy(known, envelope)).toBe('hello')
  })

  it('is of nobody else, whoever it says that it is of', () => {
    const known = new Acquaintances()
    expect(openedBy(known, pack('hello', [own.publicKeyBase58], stranger))).toBeNull()
    expect(openedBy(known, pack('hello', [own.publicKeyBase58], null))).toBeNull()
    expect(openedBy(known, pack('hello', [stranger.publicKeyBase58], theirs))).toBeNull()
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
    expect(openedBy(known, JSON.stringify({ ...ofStranger, protected: head }))).toBeNull()
  })

  it('that was changed is refused', () => {
    const known = new Acquaintances()
    const envelope = JSON.parse(pack('hello', [own.publicKeyBase58], theirs)) as Record<string, string>
    const changed = JSON.stringify({ ...envelope, ciphertext: Buffer.from('other').toString('base64url') })
    expect(() => openedBy(known, changed)).toThrow(EnvelopeRefused)
    expect(() => openedBy(known, '{}')).toThrow(EnvelopeRefused)
  })
})

describe('the key that is shared with an acquaintance', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('is wiped after ten minutes of silence, though nobody asks for it, and made again where it is needed', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const MINUTE_MS = 60_000
    const clock = { nowMs: 1, now: () => clock.nowMs }
    const pass = (minutes: number): void => {
      for (let minute = 0; minute < minutes; minute++) {
        clock.nowMs += MINUTE_MS
        vi.advanceTimersByTime(MINUTE_MS)
      }
    }
    const known = new Acquaintances(clock)
    const said = (): string => known.pack('hello', theirs.publicKeyBase58, ownSide)
    said()
    pass(9)
    said()
    const wiped = vi.spyOn(sodium, 'sodium_memzero')
    pass(9)
    expect(wiped).not.toHaveBeenCalled()
    pass(3)
    expect(wiped).toHaveBeenCalledTimes(1)
    expect(wiped.mock.calls[0]?.[0]).toEqual(Buffer.alloc(32))
    // Nothing is looked for where nothing is known.
    expect(vi.getTimerCount()).toBe(0)
    expect(opened(said(), theirs).message).toBe('hello')
  })
})
