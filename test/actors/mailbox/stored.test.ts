import { describe, expect, it } from 'vitest'
import { endOf, evolve } from '../../../src/actors/mailbox/evolve.ts'
import { hasPaceFor, TAKING_MS } from '../../../src/actors/mailbox/pace.ts'
import { mailboxStored } from '../../../src/actors/mailbox/stored.ts'

const MINUTE_MS = 60_000

/** As the release wrote it that had neither a pace of phones nor a count of what sessions were asked. */
const EARLIER = JSON.stringify({
  v: 1,
  d: {
    status: 'open',
    tenant: 'ten_01tenant0000',
    walletId: 'wal_01wallet0000',
    externalId: null,
    invitation: null,
    invitedAtMs: [1],
    connection: null,
    heard: [],
    keys: null,
    messages: [{ id: 'one', hash: 'of one', place: 1, to: 0, bytes: 10, atMs: 2 }],
    lastPlace: 1,
    expiryAtMs: 3,
    sync: { upToPlace: 0, lastAtMs: null, askedAtMs: null, isDue: false, sequence: 0 },
    createdAtMs: 1,
    removedAtMs: null,
  },
})

describe('a mailbox that an earlier release has stored', () => {
  it('is read, and its phone has all its room', () => {
    const mailbox = mailboxStored.snapshots.decode(EARLIER, null)
    if (mailbox.status === 'none') throw new Error('there is no mailbox')
    expect(mailbox.messages).toHaveLength(1)
    // Its own key has sealed it, and it waits for as long as before.
    expect(mailbox.messages.map(({ of }) => of)).toEqual([undefined])
    expect(mailbox.messages.map(endOf)).toEqual([30 * 24 * 60 * MINUTE_MS + 2])
    expect(hasPaceFor(mailbox.spentUntilMs, MINUTE_MS, TAKING_MS)).toBe(true)
    const asked = evolve(mailbox, { type: 'SessionsAsked', atMs: MINUTE_MS })
    expect(asked.sync.askedInVain).toBe(1)
    const taken = evolve(asked, { type: 'MessagesTaken', atMs: MINUTE_MS, places: [1] })
    expect(taken).toMatchObject({
      messages: [],
      sync: { askedInVain: 0 },
      spentUntilMs: MINUTE_MS + TAKING_MS,
    })
  })
})
