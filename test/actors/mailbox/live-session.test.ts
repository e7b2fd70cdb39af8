import { beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import { SessionWorld, settled } from './session-world.ts'

let world: SessionWorld
beforeEach(() => {
  world = new SessionWorld()
})

/** A phone that has opened a socket and wants what comes. */
const phone = async (push: 'implicit' | 'live' = 'implicit') => {
  const opened = world.open()
  await world.say(opened, { push })
  return opened
}

describe('a session that pushes', () => {
  it('sends what waits behind the answers to what was said, in its order and each message once', async () => {
    await world.comes('a', 'b')
    const { socket } = world.open()
    expect(socket.sent).toEqual([])
    const opened = world.open()
    await world.say(opened, { push: 'implicit', replies: ['pong'] })
    await world.comes('c')
    await world.say(opened, { replies: ['more'] })
    expect(opened.socket.sent).toEqual(['pong', 'a', 'b', 'c', 'more'])
    expect([opened.socket.isKept, socket.isKept]).toEqual([true, false])
  })

  it('watches before it reads, so that nothing comes between', async () => {
    const gate = Promise.withResolvers<void>()
    world.watchGate = gate.promise
    const opened = world.open()
    const said = world.say(opened, { push: 'implicit' })
    await world.comes('a')
    expect([world.reads.length, opened.socket.sent]).toEqual([0, []])
    gate.resolve()
    await said
    expect(opened.socket.sent).toEqual(['a'])
  })

  it('has so many messages under way, and sends more when some have arrived', async () => {
    const names = Array.from({ length: 70 }, (_, each) => `m${each}`)
    await world.comes(...names)
    const { socket } = await phone()
    expect(socket.sent).toEqual(names.slice(0, 32))
    await socket.answer()
    expect(socket.sent).toEqual(names.slice(0, 64))
    await socket.answer()
    expect(socket.sent).toEqual(names)
  })

  it('sends nothing more to one that is behind until there is room', async () => {
    const { session, socket } = await phone()
    socket.hasRoom = false
    await world.comes('a', 'b', 'c')
    expect(socket.sent).toEqual(['a'])
    socket.hasRoom = true
    await world.comes('d')
    await world.say({ session, socket }, {})
    expect(socket.sent).toEqual(['a'])
    session.drained()
    await settled()
    expect(socket.sent).toEqual(['a', 'b', 'c', 'd'])
  })

  it('reads again after a while where the mailbox could not be read', async () => {
    const { socket } = await phone()
    world.failing = new AskFailed('unavailable', 'moving', 100)
    await world.comes('a')
    world.failing = null
    expect(socket.sent).toEqual([])
    await world.time.pass(1_000)
    expect(socket.sent).toEqual(['a'])
  })

  it('pushes no more when the wallet says so, or is gone', async () => {
    const opened = await phone()
    await world.say(opened, { push: null })
    await world.comes('a')
    expect([opened.socket.sent, world.watchers.size, world.sessions.size.pushing]).toEqual([[], 0, 0])
    const gone = await phone()
    gone.session.ended()
    await world.comes('b')
    expect([gone.socket.sent, world.watchers.size, world.sessions.size.pushing]).toEqual([['a'], 0, 0])
  })

  it('watches nothing where the wallet was gone before that was said', async () => {
    const gate = Promise.withResolvers<void>()
    world.watchGate = gate.promise
    const opened = world.open()
    const said = world.say(opened, { push: 'implicit' })
    await settled()
    opened.session.ended()
    gate.resolve()
    await said
    expect([world.watchers.size, world.sessions.size]).toEqual([0, { wallets: 0, pushing: 0 }])
  })

  it('never pushes where nothing was said of it', async () => {
    const opened = world.open()
    await world.comes('a')
    await world.say(opened, { replies: ['status'] })
    expect([opened.socket.sent, world.watchers.size]).toEqual([['status'], 0])
  })
})

describe('a message that was pushed without being asked for (implicit)', () => {
  it('is acknowledged when it has arrived and the socket has lived on for five seconds', async () => {
    const { socket } = await phone()
    await world.comes('a', 'b')
    await world.time.pass(60_000)
    expect(world.acknowledged).toEqual([])
    await socket.answer()
    await world.time.pass(4_999)
    expect(world.acknowledged).toEqual([])
    await world.time.pass(1)
    expect(world.acknowledged).toEqual(['a', 'b'])
  })

  it('comes again on the next socket where this one ends before', async () => {
    const first = await phone()
    await world.comes('a')
    await first.socket.answer()
    await world.time.pass(4_000)
    first.session.ended()
    await world.time.pass(60_000)
    expect(world.acknowledged).toEqual([])
    expect((await phone()).socket.sent).toEqual(['a'])
  })

  it('is acknowledged by what the wallet writes after it has arrived, and by nothing that it wrote before', async () => {
    const opened = await phone()
    await world.comes('a')
    await world.say(opened, {})
    expect(world.acknowledged).toEqual([])
    await opened.socket.answer()
    await world.comes('b')
    await world.say(opened, {})
    expect(world.acknowledged).toEqual(['a'])
  })

  it('is acknowledged again where that was not possible', async () => {
    const { socket } = await phone()
    await world.comes('a')
    await socket.answer()
    world.failing = new AskFailed('unavailable', 'moving', 100)
    await world.time.pass(5_500)
    world.failing = null
    expect(world.acknowledged).toEqual([])
    await world.time.pass(1_000)
    expect(world.acknowledged).toEqual(['a'])
  })
})

describe('a message that was pushed in live mode', () => {
  it('is never acknowledged by the session', async () => {
    const opened = await phone('live')
    await world.comes('a')
    await opened.socket.answer()
    await world.say(opened, {})
    await world.time.pass(60_000)
    expect([opened.socket.sent, world.acknowledged]).toEqual([['live a'], []])
  })

  it('stays one when the wallet pings as one that wants bare ones', async () => {
    const opened = await phone('implicit')
    await world.comes('a')
    await world.say(opened, { push: 'live' })
    await world.say(opened, { push: 'implicit' })
    await world.comes('b')
    expect(opened.socket.sent).toEqual(['a', 'live b'])
    expect(opened.session.mode).toBe('live')
  })
})

describe('whether a session has taken what came', () => {
  it('is said when it has arrived', async () => {
    const { socket } = await phone()
    const answers = await world.comes('a')
    expect(answers).toEqual([])
    await socket.answer()
    expect(answers).toEqual([true])
  })

  it('is said at once where it has arrived before', async () => {
    const { socket } = await phone()
    await world.comes('a')
    await socket.answer()
    expect(await world.comes()).toEqual([true])
  })

  it('is no where it does not arrive in time, or the socket ends', async () => {
    const { session } = await phone()
    const late = await world.comes('a')
    await world.time.pass(4_000)
    const cutOff = await world.comes('b')
    session.ended()
    await settled()
    expect([late, cutOff]).toEqual([[false], [false]])
  })

  it('is yes where much else waits, as soon as some of it arrives', async () => {
    const { socket } = await phone()
    const answers = await world.comes(...Array.from({ length: 200 }, (_, each) => `m${each}`))
    await socket.answer(1)
    expect(answers).toEqual([true])
  })
})

describe('a wallet with several sockets', () => {
  it('is pushed to on the one that it has opened last, once what has arrived on the other is acknowledged', async () => {
    const older = await phone()
    await world.comes('a')
    await older.socket.answer()
    await world.comes('b')
    const newer = await phone()
    await world.comes('c')
    expect(world.acknowledged).toEqual(['a'])
    expect([older.socket.sent, newer.socket.sent]).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ])
    expect(world.sessions.size).toEqual({ wallets: 1, pushing: 1 })
    older.session.ended()
    await world.comes('d')
    expect(newer.socket.sent).toEqual(['b', 'c', 'd'])
  })

  it('loses the oldest of too many', async () => {
    const opened = []
    for (let each = 0; each < 5; each++) opened.push(await phone())
    expect(opened.map(({ socket }) => socket.ends)).toEqual([['refused'], [], [], [], []])
    for (const { session } of opened) session.ended()
    expect(world.sessions.size).toEqual({ wallets: 0, pushing: 0 })
  })
})

describe('a socket of an app that was reset', () => {
  it('gets nothing that comes after, and ends', async () => {
    const { session, socket } = await phone()
    await world.comes('a')
    world.connection = 'second'
    const answers = await world.comes('b')
    expect([socket.sent, socket.ends]).toEqual([['a'], ['refused']])
    session.ended()
    await settled()
    expect(answers).toEqual([false])
  })

  it('deletes nothing, also of what had arrived there', async () => {
    const { socket } = await phone()
    await world.comes('a')
    await socket.answer()
    world.connection = 'second'
    await world.time.pass(5_000)
    expect([world.acknowledged, socket.ends]).toEqual([[], ['refused']])
    const next = await phone()
    expect(next.socket.sent).toEqual(['a'])
  })

  it('is the new one where that speaks on it, and has to ask again for what comes', async () => {
    const opened = await phone()
    world.connection = 'second'
    await world.say(opened, { replies: ['status'] })
    await world.comes('a')
    expect([opened.socket.sent, opened.socket.ends, world.watchers.size]).toEqual([['status'], [], 0])
    await world.say(opened, { push: 'implicit' })
    expect(opened.socket.sent).toEqual(['status', 'a'])
    opened.session.ended()
    expect(world.sessions.size).toEqual({ wallets: 0, pushing: 0 })
  })
})

describe('what is said on a socket', () => {
  it('may be large only from whoever has shown who it is', async () => {
    const stranger = world.open()
    await world.say(stranger, {}, limits.strangerEnvelopeBytesMax)
    expect(stranger.socket.ends).toEqual(['refused'])
    const shared = world.open(null)
    await world.say(shared, { isStranger: true }, 1_000)
    await world.say(shared, { isStranger: true }, limits.strangerEnvelopeBytesMax)
    expect(shared.socket.ends).toEqual(['refused'])
    const known = world.open()
    await world.say(known, {})
    await world.say(known, { replies: ['read'] }, limits.strangerEnvelopeBytesMax)
    expect([known.socket.ends, known.socket.sent]).toEqual([[], ['read']])
    world.largeWaitMs = 1_000
    await world.say(known, {}, limits.strangerEnvelopeBytesMax)
    expect(known.socket.ends).toEqual(['try_again_later'])
  })

  it('and cannot be read, ends it after a few times in a row', async () => {
    const opened = world.open()
    for (let each = 0; each < 7; each++) await world.say(opened, { outcome: 'refused' })
    await world.say(opened, {})
    const tooDeep = Buffer.from(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)
    for (let each = 0; each < 7; each++) await opened.session.received(tooDeep)
    expect(opened.socket.ends).toEqual([])
    await world.say(opened, { outcome: { undelivered: 'unknown', reason: 'nobody' } })
    expect(opened.socket.ends).toEqual(['refused'])
  })

  it.each([
    [{ outcome: { retryAfterMs: 1_000 } }],
    [{ outcome: { undelivered: 'full', reason: 'full' } }],
  ] as const)('and one mailbox does not take now, ends it behind what is for others (%j)', async (said) => {
    const opened = world.open(null)
    await world.say(opened, said)
    expect([opened.socket.endsAfterWork, opened.socket.ends]).toEqual([['try_again_later'], []])
  })

  it('and could not be kept now, ends it at once, because nothing else tells the sender', async () => {
    const opened = world.open(null)
    await world.say(opened, { fails: new AskFailed('unavailable', 'moving', 100) })
    expect(opened.socket.ends).toEqual(['try_again_later'])
  })

  it('and fails by a mistake of ours, is not passed over', async () => {
    const opened = world.open()
    await expect(world.say(opened, { fails: new TypeError('a bug') })).rejects.toThrow('a bug')
  })
})
