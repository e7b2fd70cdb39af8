import { describe, expect, it } from 'vitest'
import { createKeyPair, type KeyPair } from '../../../src/didcomm/keys.ts'
import { eventually } from '../../eventually.ts'
import { here, kiosk, one, other } from '../kiosk-world.ts'

const MINUTE_MS = 60_000
const tooMany = { retryAfterMs: expect.any(Number) as unknown }

describe('handshakes', () => {
  it('of 60 wallets a minute at a kiosk behind one address all complete, for as long as it stands there', async () => {
    const { connect, runtime, project } = await kiosk()
    for (let minute = 0; minute < 3; minute++) {
      for (let wallet = 0; wallet < 60; wallet++) {
        expect(await connect()).toBe('completed')
        runtime.forward(1_000)
      }
      await project()
    }
  }, 60_000)

  it('of one network are refused beyond its rate, and nothing is made of them', async () => {
    const { begin, made, runtime } = await kiosk({ ofNetworkPerMinute: 3 })
    const first = createKeyPair()
    for (const wallet of [first, createKeyPair(), createKeyPair()])
      expect(await begin(wallet, '2001:db8::1')).toBe('accepted')
    const late = createKeyPair()
    expect(await begin(late, '2001:db8::2')).toEqual(tooMany)
    expect(made).toHaveLength(3)
    // Another network has a rate of its own, and who has begun is known.
    expect(await begin(createKeyPair(), '2001:db8:1::1')).toBe('accepted')
    expect(await begin(first, '2001:db8::2')).toBe('accepted')
    expect(made).toHaveLength(4)
    runtime.forward(MINUTE_MS + 1_000)
    expect(await begin(late, '2001:db8::2')).toBe('accepted')
  })

  it('of one invitation are refused beyond its rate, wherever they come from', async () => {
    const { begin, made } = await kiosk({ ofInvitationPerMinute: 2 })
    for (const from of ['192.0.2.1', '192.0.2.2']) expect(await begin(createKeyPair(), from)).toBe('accepted')
    expect(await begin(createKeyPair(), '192.0.2.3')).toEqual(tooMany)
    expect(made).toHaveLength(2)
  })

  it('that use an invitation for one are not counted, and those that come too late neither', async () => {
    const { begin, read } = await kiosk({ ofNetworkPerMinute: 1 })
    expect(await begin(createKeyPair(), here, one)).toBe('accepted')
    const before = read.length
    // They hear why by a problem report.
    for (let each = 0; each < 3; each++) expect(await begin(createKeyPair(), here, one)).toBe('accepted')
    expect(read).toHaveLength(before)
    expect(await begin(createKeyPair())).toBe('accepted')
  })

  it('under way at one invitation are no more than it may have, also after a restart', async () => {
    const { begin, made, project, restart } = await kiosk({ underWayMax: 2 })
    for (const from of ['192.0.2.1', '192.0.2.2']) expect(await begin(createKeyPair(), from)).toBe('accepted')
    expect(await begin(createKeyPair(), '192.0.2.3')).toEqual(tooMany)
    await project()
    restart()
    expect(await begin(createKeyPair(), '192.0.2.3')).toEqual(tooMany)
    expect(made).toHaveLength(2)
  })

  it('free their place when they complete', async () => {
    const { connect, project, runtime } = await kiosk({ underWayMax: 1 })
    for (let wallet = 0; wallet < 3; wallet++) {
      expect(await connect()).toBe('completed')
      await project()
      runtime.forward(1_001)
    }
  })

  it('that take long give way to others, so that nobody can shut an invitation', async () => {
    const { begin, connect, project, runtime } = await kiosk({ underWayMax: 2 })
    for (const from of ['192.0.2.2', '192.0.2.3']) await begin(createKeyPair(), from)
    await project()
    runtime.forward(4 * MINUTE_MS)
    expect(await connect()).toEqual(tooMany)
    runtime.forward(MINUTE_MS + 1_000)
    expect(await connect()).toBe('completed')
  })

  it('that are refused cost no reading of a record', async () => {
    const { begin, read } = await kiosk({ ofNetworkPerMinute: 3, underWayMax: 1 })
    await begin(createKeyPair())
    for (let each = 0; each < 25; each++) await begin(createKeyPair())
    const before = read.length
    for (let each = 0; each < 25; each++) expect(await begin(createKeyPair())).toEqual(tooMany)
    expect(read.length - before).toBe(0)
  })

  it('that found no place are not counted, so that those who wait do not fill the rates', async () => {
    const { begin, project, runtime, made } = await kiosk({ ofInvitationPerMinute: 40, underWayMax: 4 })
    for (let each = 0; each < 4; each++) await begin(createKeyPair(), `192.0.2.${each}`)
    await project()
    for (let each = 0; each < 100; each++) await begin(createKeyPair(), `198.51.100.${each}`)
    runtime.forward(5 * MINUTE_MS - 30_000)
    for (let each = 0; each < 100; each++) await begin(createKeyPair(), `198.51.100.${each}`)
    runtime.forward(30_000)
    expect(await begin(createKeyPair(), '203.0.113.1')).toBe('accepted')
    expect(made).toHaveLength(5)
  })

  it('with an address that can never work make nothing, and the wallet hears why', async () => {
    const { begin, made, project, runtime } = await kiosk({ underWayMax: 2 })
    for (const endpoint of ['http://wallet.example', 'https://10.0.0.1', 'https://[::1]/', 'https://127.1'])
      for (let each = 0; each < 10; each++) {
        const reason = expect.stringContaining('never written to') as unknown
        expect(await begin(createKeyPair(), here, undefined, endpoint)).toEqual({ reason })
        await project()
        runtime.forward(5_000)
      }
    expect(made).toHaveLength(0)
  })

  it('that gave way hear so, and twice more when they write again', async () => {
    const { begin, project, runtime, heard } = await kiosk({ underWayMax: 1 })
    const slow = createKeyPair()
    await begin(slow, here)
    await project()
    runtime.forward(5 * MINUTE_MS + 1_000)
    const newcomer = createKeyPair()
    expect(await begin(newcomer, '203.0.113.1')).toEqual(tooMany)
    runtime.forward(1_001)
    expect(await begin(newcomer, '203.0.113.1')).toBe('accepted')
    await eventually(() => expect(heard).toEqual([slow.publicKeyBase58]))
    for (let minute = 0; minute < 60; minute++) {
      runtime.forward(MINUTE_MS)
      for (let each = 0; each < 3; each++) await begin(slow, here)
    }
    await eventually(() => expect(heard).toHaveLength(3))
    expect(await begin(slow, here)).toEqual({ reason: expect.stringContaining('given up') as unknown })
  })

  it('whose connection was erased read that it is over when they write again', async () => {
    const { connect, begin, erase, made, heard, statusOf } = await kiosk()
    const wallet = createKeyPair()
    expect(await connect(here, wallet)).toBe('completed')
    await erase(made[0] ?? '')
    expect(await begin(wallet)).toEqual({ reason: expect.stringContaining('given up') as unknown })
    expect(await statusOf(made[0] ?? '')).toBe('closed')
    expect([made.length, heard.length]).toEqual([1, 0])
  })

  it('that their own wallet ended are not written to, however often they are begun again', async () => {
    const { begin, end, runtime, heard, made, statusOf } = await kiosk()
    const stranger = createKeyPair()
    await begin(stranger)
    expect(await end(stranger)).toBe('accepted')
    const reason = expect.stringContaining('given up') as unknown
    for (let minute = 0; minute < 60; minute++) {
      runtime.forward(MINUTE_MS + 1)
      expect(await begin(stranger)).toEqual({ reason })
    }
    expect(await Promise.all(made.map(statusOf))).toEqual(['abandoned'])
    expect(heard).toHaveLength(0)
  })

  it('that come too late for an invitation of one holder hear so, six in a day, each once', async () => {
    const { begin, runtime, heard } = await kiosk()
    await begin(createKeyPair(), here, one)
    const late = Array.from({ length: 8 }, createKeyPair)
    const reason = expect.stringContaining('one holder') as unknown
    for (let round = 0; round < 3; round++)
      for (const [at, wallet] of late.entries())
        expect(await begin(wallet, here, one)).toEqual(at < 6 ? 'accepted' : { reason })
    await eventually(() => expect(heard).toHaveLength(6))
    expect(new Set(heard).size).toBe(6)
    runtime.forward(24 * 60 * MINUTE_MS)
    expect(await begin(createKeyPair(), here, one)).toBe('accepted')
    await eventually(() => expect(heard).toHaveLength(7))
  })

  it('give way one for one who waits, however often it asks, and none that has no more than the newcomer', async () => {
    const { begin, project, runtime, made, statusOf } = await kiosk({ underWayMax: 12 })
    const abandoned = async () =>
      (await Promise.all(made.map(statusOf))).flatMap((status, at) => (status === 'abandoned' ? [at] : []))
    for (let each = 0; each < 12; each++) await begin(createKeyPair(), `198.51.100.${each}`)
    await project()
    runtime.forward(5 * MINUTE_MS + 1_000)
    const late = createKeyPair()
    for (let each = 0; each < 30; each++) expect(await begin(late)).toEqual(tooMany)
    runtime.forward(1_001)
    expect(await begin(late)).toBe('accepted')
    await project()
    expect(await abandoned()).toEqual([0])
    // Its network has as many as each of the others now.
    const more = createKeyPair()
    for (let each = 0; each < 3; each++) {
      expect(await begin(more)).toEqual(tooMany)
      runtime.forward(1_001)
      await project()
    }
    expect(await abandoned()).toEqual([0])
  })

  it('that are sent again after a restart are known by the lists, and end nobody', async () => {
    const { begin, project, restart, runtime, made, statusOf } = await kiosk({ underWayMax: 2 })
    const slow = createKeyPair()
    await begin(slow, '192.0.2.1')
    await begin(createKeyPair(), '192.0.2.2')
    await project()
    runtime.forward(5 * MINUTE_MS + 1_000)
    restart()
    for (let each = 0; each < 3; each++) {
      expect(await begin(slow, '192.0.2.1')).toBe('accepted')
      runtime.forward(1_001)
    }
    expect(await Promise.all(made.map(statusOf))).not.toContain('abandoned')
  })

  it('give way as many as others found no place, and first those of the network that has most', async () => {
    const { begin, project, runtime, made, statusOf } = await kiosk({ underWayMax: 12 })
    // One network has two, the others have one each.
    const others = Array.from({ length: 10 }, (_, each) => `198.51.100.${each}`)
    for (const from of [...others.slice(0, 4), here, here, ...others.slice(4)])
      await begin(createKeyPair(), from)
    await project()
    runtime.forward(5 * MINUTE_MS + 1_000)
    expect(await begin(createKeyPair(), '203.0.113.1')).toEqual(tooMany)
    runtime.forward(1_001)
    const late = createKeyPair()
    expect(await begin(late, '203.0.113.1')).toBe('accepted')
    const ended = await Promise.all(made.map(statusOf))
    expect(ended.flatMap((status, at) => (status === 'abandoned' ? [at] : []))).toEqual([4])
  })
})

/** An attack and a kiosk beside it, for twenty minutes, with every limit divided by ten. */
const besides = async (
  attackers: readonly string[],
  {
    at: invitationOfAttack,
    own = here,
    complete = false,
  }: { at?: string; own?: string; complete?: boolean } = {},
): Promise<number> => {
  const { begin, connect, project, runtime } = await kiosk({
    ofNetworkPerMinute: 12,
    ofInvitationPerMinute: 60,
    underWayMax: 100,
  })
  const waiting: { readonly wallet: KeyPair; readonly untilMs: number }[] = []
  let letIn = 0
  let at = 0
  for (let second = 0; second < 20 * 60; second += 5) {
    for (let each = 0; each < 7; each++) {
      const from = attackers[at++ % attackers.length] ?? ''
      if (complete) await connect(from, createKeyPair(), invitationOfAttack)
      else await begin(createKeyPair(), from, invitationOfAttack)
    }
    // Six a minute, and each waits for a minute at most.
    if (second % 10 === 0) waiting.push({ wallet: createKeyPair(), untilMs: runtime.now() + MINUTE_MS })
    for (const each of waiting.splice(0)) {
      if ((await connect(own, each.wallet)) === 'completed') letIn += 1
      else if (runtime.now() < each.untilMs) waiting.push(each)
    }
    await project()
    runtime.forward(5_000)
  }
  return letIn
}

const addresses = (count: number, of: (each: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, each) => of(each))

describe('a public invitation lets in a kiosk’s wallets', () => {
  it.each([
    ['two networks', addresses(2, (each) => `198.51.100.${each}`)],
    ['five networks', addresses(5, (each) => `198.51.100.${each}`)],
    ['a whole /56 of IPv6', addresses(256, (each) => `2001:db8:1:${each.toString(16)}::1`)],
    ['a whole /48 of IPv6', addresses(4_000, (each) => `2001:db8:1:${(each * 16).toString(16)}::1`)],
  ])(
    'beside strangers of %s, who begin as many as they can',
    async (_who, attackers) => {
      expect(await besides(attackers)).toBe(120)
    },
    120_000,
  )

  it('beside a stranger at its own address, who is at another invitation', async () => {
    expect(await besides([here], { at: other })).toBe(120)
  }, 120_000)
  it('beside strangers who complete, of three whole /48 of IPv6', async () => {
    const attackers = addresses(600, (each) => `2001:db8:${(each % 3) + 1}:${(each * 16).toString(16)}::1`)
    expect(await besides(attackers, { complete: true })).toBe(120)
  }, 240_000)

  it('beside strangers at two /64 of its own /48, in different /56', async () => {
    const attackers = ['2001:db8:1:100::1', '2001:db8:1:200::1']
    // Half of what a /48 may have is little more than a kiosk needs.
    expect(await besides(attackers, { own: '2001:db8:1:2::1', complete: true })).toBeGreaterThan(90)
    expect(await besides(attackers, { own: '2001:db8:1:2::1' })).toBeGreaterThan(90)
  }, 240_000)

  it('beside a stranger at another /64 of its own /48, who has a whole /56', async () => {
    const attackers = addresses(256, (each) => `2001:db8:1:1${each.toString(16).padStart(2, '0')}::1`)
    expect(await besides(attackers, { own: '2001:db8:1:2::1', complete: true })).toBeGreaterThan(115)
  }, 120_000)
})
