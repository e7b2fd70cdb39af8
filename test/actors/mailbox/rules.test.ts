import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HEARD_MAX } from '../../../src/actors/mailbox/evolve.ts'
import { EXPIRY_TIMER, mailboxDecider, SYNC_TIMER, tallyOf } from '../../../src/actors/mailbox/rules.ts'
import type {
  MailboxCommand,
  MailboxRecord,
  MailboxTypes,
  PhoneConnection,
  WalletInvitation,
} from '../../../src/actors/mailbox/state.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { limits } from '../../../src/domain/limits.ts'
import { runDecider } from '../../domain/run-decider.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const owner = { tenant: 'ten_00aaaaaaaa', walletId: 'wal_00aaaaaaaa', externalId: 'guest' }

const invitationOf = (id: string, expiresAtMs = 60 * MINUTE_MS): WalletInvitation => ({
  id,
  ownSeed: `seed of ${id}`,
  ownKey: `key of ${id}`,
  expiresAtMs,
})
const invite = (id: string, atMs = 0): MailboxCommand => ({
  type: 'InviteWallet',
  atMs,
  ...owner,
  invitation: invitationOf(id),
})
const connectionOf = (id: string, more: Partial<PhoneConnection> = {}): PhoneConnection => ({
  invitation: invitationOf(id),
  requestId: 'request',
  theirKey: 'phone',
  ownSeed: 'seed',
  ownKey: 'own',
  isComplete: false,
  ...more,
})
const connect = (connection: PhoneConnection, atMs = 1): MailboxCommand => ({
  type: 'ConnectPhone',
  atMs,
  connection,
})
const complete: MailboxCommand = { type: 'CompletePhone', atMs: 2, theirKey: 'phone' }
let marks = 0
const changeKeys = (add: readonly string[], remove: readonly string[] = []): MailboxCommand => ({
  type: 'ChangeKeys',
  atMs: 3,
  mark: `mark-${++marks}`,
  add,
  remove,
})
let bodies = 0
const keep = (to: string, atMs = 4, bytes = 100): Extract<MailboxCommand, { type: 'KeepMessage' }> => {
  const body = { id: `body-${++bodies}`, hash: 'hash' }
  return { type: 'KeepMessage', atMs, to, body, bytes }
}
const run = (...commands: MailboxCommand[]) => runDecider(mailboxDecider, commands)
const begun = [invite('one'), connect(connectionOf('one')), complete, changeKeys(['a', 'b'])] as const

const recordAfter = (...commands: MailboxCommand[]): MailboxRecord => {
  const { state } = run(...commands)
  if (state.status === 'none') throw new Error('there is no mailbox')
  return state
}
/** Another command to a mailbox that there is. */
const after = (state: MailboxRecord, command: MailboxCommand): MailboxRecord => {
  const decider = { ...mailboxDecider, initialState: state }
  return runDecider<MailboxTypes>(decider, [command]).state as MailboxRecord
}
const dueOf = (state: MailboxRecord, timer: string): number | undefined =>
  mailboxDecider.timers?.(state).find(({ id }) => id === timer)?.dueMs
const refusalsOf = (replies: readonly unknown[]): readonly unknown[] =>
  replies.map((reply) => (isRefused(reply) ? reply.refused : null))

describe('the invitation of a mailbox', () => {
  it('is answered once; the same answer again changes nothing', () => {
    const { state, replies, events } = run(
      invite('one'),
      connect(connectionOf('one')),
      connect(connectionOf('one', { ownKey: 'another' })),
      connect(connectionOf('one', { requestId: 'another' })),
    )
    expect(refusalsOf(replies)).toEqual([null, null, null, 'connection_not_ready'])
    expect(events.map(({ type }) => type)).toEqual(['MailboxCreated', 'PhoneConnected'])
    expect(state).toMatchObject({ invitation: null, connection: { ownKey: 'own' } })
  })

  it('ends with a newer one, and with its time', () => {
    const { replies } = run(
      invite('one'),
      invite('two'),
      connect(connectionOf('one')),
      connect(connectionOf('two'), 60 * MINUTE_MS + 1),
    )
    expect(refusalsOf(replies)).toEqual([null, null, 'connection_not_ready', 'connection_not_ready'])
  })

  it('is made three times in ten minutes', () => {
    const { replies } = run(
      invite('one', 0),
      invite('two', MINUTE_MS),
      invite('three', 2 * MINUTE_MS),
      invite('four', 10 * MINUTE_MS - 1),
      invite('five', 10 * MINUTE_MS),
      invite('six', 10 * MINUTE_MS + 1),
      invite('seven', 11 * MINUTE_MS),
    )
    expect(refusalsOf(replies)).toEqual([null, null, null, 'rate_limited', null, 'rate_limited', null])
  })

  it('is completed by the phone that answered it alone', () => {
    const { replies, state } = run(
      ...begun.slice(0, 2),
      { ...complete, theirKey: 'other' },
      complete,
      complete,
    )
    expect(refusalsOf(replies)).toEqual([null, null, 'not_found', null, null])
    expect(state).toMatchObject({ connection: { isComplete: true } })
  })
})

describe('the queue of a mailbox', () => {
  it('takes messages for its keys alone, in order', () => {
    const { replies, state } = run(
      ...begun,
      keep('a'),
      keep('c'),
      keep('b'),
      changeKeys([], ['a']),
      keep('a'),
      changeKeys(['a']),
      keep('a'),
    )
    expect(refusalsOf(replies.slice(begun.length))).toEqual([
      null,
      'not_found',
      null,
      null,
      'not_found',
      null,
      null,
    ])
    expect((state as MailboxRecord).messages.map(({ place, to }) => [place, to])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
    ])
  })

  it('has a message once, however late its command is repeated', () => {
    const first = keep('a')
    const later = Array.from({ length: 70 }, () => keep('b'))
    const record = recordAfter(...begun, first, ...later)
    expect(mailboxDecider.decide(record, first)).toEqual([])
    // What it was answered stays true where its key was switched off in between.
    expect(mailboxDecider.decide(after(record, changeKeys([], ['a'])), first)).toEqual([])
  })

  it('gives one key half of its room, and leaves the rest to others', () => {
    const half = limits.mailboxMessagesMax / 2
    const many = Array.from({ length: half + 1 }, () => keep('a'))
    const { replies } = run(...begun, ...many, keep('b'))
    expect(refusalsOf(replies.slice(-3))).toEqual([null, 'mailbox_full', null])
  })

  it('has the same shares of bytes', () => {
    const half = limits.mailboxBytesMax / 2
    const { replies } = run(
      ...begun,
      keep('a', 4, half),
      keep('a', 4, 1),
      keep('b', 4, half / 2),
      keep('b', 4, 1),
    )
    expect(refusalsOf(replies.slice(-4))).toEqual([null, 'mailbox_full', null, 'mailbox_full'])
  })

  it('never has more than it may, whoever writes how much', () => {
    const commands = fc.array(
      fc.record({ key: fc.integer({ min: 0, max: 9 }), bytes: fc.integer({ min: 1, max: 2_097_152 }) }),
      { maxLength: 300 },
    )
    fc.assert(
      fc.property(commands, (all) => {
        const keys = Array.from({ length: 10 }, (_, index) => `k${index}`)
        const kept = all.map(({ key, bytes }) => keep(`k${key}`, 4, bytes))
        const { messages } = recordAfter(...begun, changeKeys(keys), ...kept)
        const bytes = messages.reduce((sum, each) => sum + each.bytes, 0)
        expect(bytes).toBeLessThanOrEqual(limits.mailboxBytesMax)
        expect(messages.length).toBeLessThanOrEqual(limits.mailboxMessagesMax)
      }),
    )
  })

  it('loses what was taken, and nothing for ids that it does not have', () => {
    const record = recordAfter(...begun, keep('a'), keep('a'), keep('b'))
    const [first, , third] = record.messages
    const ids = [first?.id ?? '', third?.id ?? '', 'body-of-another']
    const take: MailboxCommand = { type: 'TakeMessages', atMs: 5, ids }
    const events = mailboxDecider.decide(record, take)
    expect(events).toEqual([{ type: 'MessagesTaken', atMs: 5, places: [1, 3] }])
    expect(mailboxDecider.decide(record, { ...take, ids: ['body-of-another'] })).toEqual([])
    expect(isRefused(mailboxDecider.decide(record, { ...take, connection: 'replaced' }))).toBe(true)
  })

  it('forgets a message after 30 days', () => {
    const record = recordAfter(...begun, keep('a', 1_000), keep('a', DAY_MS))
    expect(dueOf(record, EXPIRY_TIMER)).toBe(30 * DAY_MS + 1_000)
    const expire = (atMs: number): MailboxCommand => ({ type: 'ExpireMessages', atMs })
    expect(mailboxDecider.decide(record, expire(30 * DAY_MS))).toEqual([])
    const later = after(record, expire(30 * DAY_MS + 1_000))
    expect(later.messages.map(({ place }) => place)).toEqual([2])
    expect(dueOf(later, EXPIRY_TIMER)).toBe(31 * DAY_MS)
    const last = after(later, expire(31 * DAY_MS))
    expect(last).toMatchObject({ messages: [], expiryAtMs: null })
  })

  it('forgets a message of an exchange soon after that has ended because its holder was silent', () => {
    const of = 'cre_00aaaaaaaa'
    const record = recordAfter(...begun, keep('a', 0), { ...keep('a', 10), of }, keep('a', 20))
    expect(record.messages.map((each) => each.of)).toEqual([undefined, of, undefined])
    const endMs = 10 + DAY_MS + 60 * MINUTE_MS
    expect(dueOf(record, EXPIRY_TIMER)).toBe(endMs)
    const later = after(record, { type: 'ExpireMessages', atMs: endMs })
    expect(later.messages.map(({ place }) => place)).toEqual([1, 3])
    expect(dueOf(later, EXPIRY_TIMER)).toBe(30 * DAY_MS)
  })

  it('gives the room of what was dropped back, and says nothing of its phone', () => {
    const record = recordAfter(...begun, keep('a'), keep('a'))
    const [first] = record.messages
    const drop: MailboxCommand = { type: 'DropMessages', atMs: 5, ids: [first?.id ?? '', 'of-another'] }
    expect(mailboxDecider.decide(record, drop)).toEqual([{ type: 'MessagesDropped', atMs: 5, places: [1] }])
    const later = after(record, drop)
    expect(tallyOf(later.messages)).toMatchObject({ count: 1, bytes: 100 })
    expect(later.spentUntilMs).toBe(record.spentUntilMs)
    expect(mailboxDecider.decide(later, drop)).toEqual([])
  })
})

describe('keys of a mailbox', () => {
  it('are a thousand, with those that were taken back', () => {
    const names = Array.from({ length: limits.mailboxKeysMax + 1 }, (_, index) => `key-${index}`)
    const { keys } = recordAfter(
      invite('one'),
      changeKeys(names),
      changeKeys([], names),
      changeKeys(['more']),
    )
    expect(keys).toHaveLength(limits.mailboxKeysMax)
    expect(keys?.some(({ isActive }) => isActive)).toBe(false)
  })

  it('that are named twice are taken back last, whether they are new or not', () => {
    const { keys } = recordAfter(
      ...begun,
      changeKeys([], ['b']),
      changeKeys(['c', 'a', 'b'], ['b', 'a', 'c']),
    )
    expect(keys).toEqual(['a', 'b', 'c'].map((key) => ({ key, isActive: false })))
  })

  it('that turn out to be another wallet’s are given up', () => {
    const { keys } = recordAfter(invite('one'), changeKeys(['a', 'b']), {
      type: 'GiveUpKeys',
      atMs: 4,
      keys: ['a'],
    })
    expect(keys).toEqual([
      { key: 'a', isActive: false },
      { key: 'b', isActive: true },
    ])
  })
})

describe('a message that is heard once', () => {
  const hear = (mark: string): MailboxCommand => ({ type: 'HearMessage', atMs: 5, mark })

  it('changes nothing when it comes again', () => {
    const [remove, add] = [changeKeys([], ['a']), changeKeys(['a'])]
    const { replies, state } = run(...begun, remove, add, remove, hear('ping'), hear('ping'))
    expect(refusalsOf(replies.slice(begun.length))).toEqual([
      null,
      null,
      'message_unexpected',
      null,
      'message_unexpected',
    ])
    expect((state as MailboxRecord).keys?.[0]).toEqual({ key: 'a', isActive: true })
  })

  it('is remembered among the last 64, until another connection takes the place of this one', () => {
    const many = Array.from({ length: HEARD_MAX }, (_, index) => hear(`mark ${index}`))
    const record = recordAfter(...begun, hear('first'), ...many)
    expect(record.heard).toHaveLength(HEARD_MAX)
    expect(record.heard).not.toContain('first')
    const next = after(
      after(record, invite('two', 20 * MINUTE_MS)),
      connect(connectionOf('two'), 20 * MINUTE_MS),
    )
    expect(next.heard).toEqual([])
  })
})

describe('what the organisation hears of a mailbox', () => {
  const sync = (atMs: number): MailboxCommand => ({ type: 'RequestSync', atMs })
  const requested = (events: readonly { readonly type: string; readonly atMs: number }[]) =>
    events.filter(({ type }) => type === 'SyncRequested').map(({ atMs }) => atMs)

  it('is one word for all that waits, and another for what came later, 30 seconds apart at least', () => {
    const { events } = run(
      ...begun,
      keep('a', 1_000),
      sync(1_000),
      sync(40_000),
      keep('a', 50_000),
      keep('a', 50_001),
      sync(50_001),
      keep('a', 60_000),
      sync(80_000),
      sync(80_001),
    )
    expect(requested(events)).toEqual([1_000, 50_001, 80_001])
    expect(events.findLast(({ type }) => type === 'SyncRequested')).toMatchObject({ ...owner, sequence: 3 })
  })

  it('comes from the mailbox itself where nobody has told whether a session has the message', () => {
    const record = recordAfter(...begun, keep('a', 1_000))
    const dueMs = dueOf(record, SYNC_TIMER) ?? 0
    expect(dueMs).toBe(16_000)
    const ask = (atMs: number): MailboxCommand => ({ type: 'AskSessions', atMs })
    expect(mailboxDecider.decide(record, ask(dueMs - 1))).toEqual([])
    const asking = after(record, ask(dueMs))
    expect(mailboxDecider.owed?.(asking)).toMatchObject([{ kind: 'ask-sessions' }])
    expect(dueOf(asking, SYNC_TIMER)).toBeUndefined()
    const said = (isTaken: boolean): MailboxCommand => ({ type: 'RecordSessions', atMs: dueMs + 5, isTaken })
    expect(mailboxDecider.decide(asking, said(false))).toMatchObject([
      { type: 'SyncRequested', upToPlace: 1 },
    ])
    const taken = after(asking, said(true))
    // A session that does not acknowledge it is asked again.
    expect(dueOf(taken, SYNC_TIMER)).toBe(dueMs + 5 + 30_000)
  })

  it('is nothing once everything was taken', () => {
    const record = recordAfter(...begun, keep('a', 1_000))
    const ids = record.messages.map(({ id }) => id)
    const taken = after(record, { type: 'TakeMessages', atMs: 2_000, ids })
    expect(dueOf(taken, SYNC_TIMER)).toBeUndefined()
    expect(mailboxDecider.decide(taken, sync(40_000))).toEqual([])
  })
})

describe('a session that has what waits, and acknowledges nothing', () => {
  /** After it was asked, and how long until it is asked again. */
  const asked = (record: MailboxRecord) => {
    const dueMs = dueOf(record, SYNC_TIMER) ?? 0
    const asking = after(record, { type: 'AskSessions', atMs: dueMs })
    const taken = after(asking, { type: 'RecordSessions', atMs: dueMs, isTaken: true })
    return { record: taken, atMs: dueMs, pauseMs: (dueOf(taken, SYNC_TIMER) ?? 0) - dueMs }
  }

  it('is asked after twice as long each time, and every 16 minutes in the end', () => {
    let record = recordAfter(...begun, keep('a', 1_000))
    const pauses = Array.from({ length: 8 }, () => {
      const once = asked(record)
      record = once.record
      return once.pauseMs / 1_000
    })
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 960, 960])
  })

  it('is asked soon again when it has acknowledged something', () => {
    let once = asked(recordAfter(...begun, keep('a', 1_000)))
    for (let times = 0; times < 5; times++) once = asked(once.record)
    const [message] = once.record.messages
    const more = after(once.record, keep('b', once.atMs))
    const ids = [message?.id ?? '']
    const acknowledged = after(more, { type: 'TakeMessages', atMs: once.atMs, ids })
    expect(dueOf(acknowledged, SYNC_TIMER)).toBe(once.atMs + 30_000)
  })
})

describe('what its own phone brings about', () => {
  let said = 0
  const hear = (atMs: number): MailboxCommand => ({ type: 'HearMessage', atMs, mark: `said-${++said}` })
  const isHeard = (record: MailboxRecord, atMs: number) =>
    !isRefused(mailboxDecider.decide(record, hear(atMs)))
  /** All that is written down of it at once. */
  const spent = (from: MailboxRecord, atMs: number) => {
    let [record, count] = [from, 0]
    for (; isHeard(record, atMs); count++) record = after(record, hear(atMs))
    return { record, count }
  }
  const T = MINUTE_MS

  it('is written down 600 times at once, and 60 times a minute in the long run', () => {
    const { record, count } = spent(recordAfter(...begun), T)
    expect(count).toBe(600)
    expect([isHeard(record, T + 999), isHeard(record, T + 1_000)]).toEqual([false, true])
    expect(spent(record, T + 10_000).count).toBe(10)
    expect(spent(record, T + 60 * MINUTE_MS).count).toBe(600)
    const update: MailboxCommand = { type: 'ChangeKeys', atMs: T, mark: 'keys', add: ['c'], remove: [] }
    expect(mailboxDecider.decide(record, update)).toMatchObject({ refused: 'rate_limited' })
  })

  it('costs a tenth where it takes messages, and nothing that its session acknowledges is refused', () => {
    const { record } = spent(recordAfter(...begun, keep('a', T), keep('a', T)), T)
    const ids = record.messages.map(({ id }) => id)
    const take = (atMs: number, connection: string | null = null): MailboxCommand => ({
      type: 'TakeMessages',
      atMs,
      ids: ids.slice(0, 1),
      connection,
    })
    expect(mailboxDecider.decide(record, take(T))).toMatchObject({ refused: 'rate_limited' })
    expect(after(record, take(T + 100)).messages).toHaveLength(1)
    expect(after(record, take(T, 'own')).messages).toHaveLength(1)
    // What takes nothing costs nothing, and what was heard before is answered as ever.
    expect(mailboxDecider.decide(record, { type: 'TakeMessages', atMs: T, ids: ['other'] })).toEqual([])
    const again: MailboxCommand = { type: 'HearMessage', atMs: T, mark: record.heard.at(-1) ?? '' }
    expect(mailboxDecider.decide(record, again)).toMatchObject({ refused: 'message_unexpected' })
  })

  it('is not held up by what was taken for it while it said nothing', () => {
    const many = Array.from({ length: 500 }, () => keep('a', T))
    let record = recordAfter(...begun, ...many)
    for (let round = 0; round < 20; round++)
      for (const { id } of record.messages.slice(0, 400))
        record = {
          ...after(record, { type: 'TakeMessages', atMs: T, ids: [id], connection: 'own' }),
          messages: record.messages,
        }
    expect(isHeard(record, T + 1_000)).toBe(true)
  })

  it('is written down after the mailbox has moved to a node whose clock is behind', () => {
    const { record } = spent(recordAfter(...begun), T)
    expect(isHeard({ ...record, spentUntilMs: (record.spentUntilMs ?? 0) + T }, T - 1)).toBe(true)
  })
})

describe('a mailbox that was removed', () => {
  const removed = run(...begun, keep('a'), { type: 'RemoveMailbox', atMs: 9 }).state

  it('has nothing left, and takes nothing', () => {
    expect(removed).toMatchObject({ status: 'removed', connection: null, keys: null, messages: [] })
    expect(mailboxDecider.timers?.(removed)).toEqual([])
    for (const command of [keep('a'), complete, invite('two', DAY_MS), changeKeys(['c'])])
      expect(mailboxDecider.decide(removed, command)).toMatchObject({ refused: 'not_found' })
  })

  it('never comes back', () => {
    expect(() => mailboxDecider.evolve(removed, { type: 'PhoneCompleted', atMs: 10 })).toThrow('removed')
  })
})
