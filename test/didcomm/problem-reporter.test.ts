import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { composeMessage, parseMessage } from '../../src/didcomm/message.ts'
import { ProblemReporter } from '../../src/didcomm/problem-reporter.ts'
import { EgressRefused } from '../../src/egress/failures.ts'
import type { Deliver, WalletService } from '../../src/ports/wallets.ts'
import { eventually } from '../eventually.ts'

const answered = parseMessage(composeMessage({ id: 'm', type: 'issue-credential/2.0/ack' }))
if (answered === null) throw new Error('no message')
const service = { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] }
const to = async () => ({ service, ownSeed: 'seed' })
const source = (organisation = 0, address = 0) => ({
  tenant: `ten_${organisation}`,
  address: `con_${organisation}_${address}`,
  lane: `wallet${address}.example`,
})
const said = { code: 'issuance-abandoned', text: 'Too late.' }

describe('what a sender hears of a refusal', () => {
  it('is sent again to an address that is away for a moment, until it is taken', async () => {
    const sent: string[] = []
    const reporter = new ProblemReporter(
      async (_to, message, _signal, sending) => {
        sent.push(`${sending} ${message}`)
        if (sent.length < 3) throw new Error('away')
      },
      [1, 1, 1],
    )
    reporter.report(source(), to, answered, said)
    await eventually(() => expect(sent).toHaveLength(3))
    expect(new Set(sent).size).toBe(1)
    // The same refusal of another message is to arrive beside it.
    reporter.report(source(), to, answered, said)
    await eventually(() => expect(sent).toHaveLength(4))
    expect(new Set(sent).size).toBe(2)
  })

  it('is given up at once where the address is never written to', async () => {
    let attempts = 0
    const reporter = new ProblemReporter(() => {
      attempts += 1
      return Promise.reject(new EgressRefused('a private address'))
    }, [1, 1])
    reporter.report(source(), to, answered, said)
    await setTimeout(50)
    expect(attempts).toBe(1)
  })

  it('is given up after some attempts, and only so many are sent at once', async () => {
    let [attempts, atOnce] = [0, 0]
    const held = Promise.withResolvers<void>()
    const reporter = new ProblemReporter(async () => {
      attempts += 1
      atOnce += 1
      await held.promise
      atOnce -= 1
      throw new Error('away')
    }, [1])
    for (let index = 0; index < 300; index++) reporter.report(source(index), to, answered, said)
    await eventually(() => expect(attempts).toBe(256))
    expect(atOnce).toBe(256)
    held.resolve()
    await eventually(() => expect(attempts).toBe(600))
    await setTimeout(50)
    expect(attempts).toBe(600)
  })

  it('is not taken where thirty of one connection or invitation were taken within a minute', async () => {
    let sent = 0
    const reporter = new ProblemReporter(async () => {
      sent += 1
    })
    for (let index = 0; index < 30; index++) {
      expect(reporter.report(source(1), to, answered, said)).toBe('accepted')
      await setTimeout(1)
    }
    const refused = reporter.report(source(1), to, answered, said)
    if (refused === 'accepted') throw new Error('it was taken')
    expect(refused.retryAfterMs).toBeGreaterThan(50_000)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(60_001)
    expect(reporter.report(source(1, 2), to, answered, said)).toBe('accepted')
    await eventually(() => expect(sent).toBe(31))
  })

  it('reaches others while the addresses of one organisation, a connection or an invitation are away', async () => {
    const sent: string[] = []
    const away = async () => ({ service: { ...service, endpoint: 'https://away.example' }, ownSeed: 'seed' })
    const reporter = new ProblemReporter(async ({ service: { endpoint } }) => {
      sent.push(endpoint)
      if (endpoint !== service.endpoint) throw new Error('away')
    })
    const counts = () => [sent.length, sent.filter((endpoint) => endpoint === service.endpoint).length]
    for (let round = 0; round < 20; round++) {
      for (let address = 0; address < 20; address++) reporter.report(source(1, address), away, answered, said)
      await setTimeout(1)
    }
    reporter.report(source(2), to, answered, said)
    reporter.report(source(1, 3), to, answered, said)
    await eventually(() => expect(counts()[1]).toBe(2))
  })

  it('keeps the newest eight of a connection and 64 of an organisation, and gives up the oldest that waits', async () => {
    const tried: string[] = []
    const reporter = new ProblemReporter(
      async (_to, message) => {
        tried.push((JSON.parse(message) as { '~thread': { thid: string } })['~thread'].thid)
        throw new Error('away')
      },
      [1_000],
    )
    const message = (name: string) => ({ ...answered, threadId: name })
    const again = () => tried.filter((name, index) => tried.indexOf(name) < index).sort()
    for (let index = 0; index < 10; index++) {
      reporter.report(source(1), to, message(`one ${index}`), said)
      await setTimeout(1)
    }
    for (let index = 0; index < 72; index++) {
      reporter.report(source(2, index), to, message(`many ${index}`), said)
      await setTimeout(1)
    }
    await eventually(() => expect(tried).toHaveLength(82 + 8 + 64))
    await setTimeout(50)
    expect(tried).toHaveLength(82 + 8 + 64)
    expect(
      again()
        .filter((name) => name.startsWith('one'))
        .slice(0, 3),
    ).toEqual(['one 2', 'one 3', 'one 4'])
    expect(again()).not.toContain('many 7')
    expect(again()).toContain('many 8')
  })
})

describe('a place that hangs', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const world = () => {
    const [tried, heard]: [string[], string[]] = [[], []]
    /** What is sent there hangs until it is cut off, as it does to each place whose name begins so. */
    const hung = new Set<string>()
    const hanging = (place: string): boolean => place.startsWith('hangs') || hung.has(place)
    /** What our own mailboxes are keeping until they have kept it. */
    const keeping: (() => void)[] = []
    const deliver: Deliver = (recipient, text, signal) => {
      const { thid } = (JSON.parse(text) as { '~thread': { thid: string } })['~thread']
      tried.push(thid)
      if (staysInside(recipient.service)) return new Promise((resolve) => keeping.push(resolve))
      if (hanging(recipient.service.endpoint))
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('cut off'))),
        )
      heard.push(thid)
      return Promise.resolve()
    }
    const staysInside = ({ endpoint }: WalletService): boolean => endpoint.startsWith('inside')
    const reporter = new ProblemReporter(Object.assign(deliver, { staysInside }))
    const say = (holder: string, lane: string, threadId = holder) => {
      const recipient = { service: { ...service, endpoint: lane }, ownSeed: 'seed' }
      const from = { tenant: 'ten_1', address: `con_${holder}`, lane }
      expect(reporter.report(from, async () => recipient, { ...answered, threadId }, said)).toBe('accepted')
    }
    return { say, tried, heard, keeping, hang: (place: string) => void hung.add(place) }
  }

  it.each([1, 4])('has two attempts at a time, and others are heard at once: %i of them', async (places) => {
    const { say, tried, heard } = world()
    for (let each = 0; each < 10; each++)
      for (let holder = 0; holder < 4; holder++) say(`slow ${holder}`, `hangs ${holder % places}`)
    say('quick', 'wallet')
    await vi.advanceTimersByTimeAsync(0)
    expect(heard).toEqual(['quick'])
    expect(tried).toHaveLength(2 * places + 1)
  })

  it('gives way after a second where so many hang that no other place of the organisation is left', async () => {
    const { say, tried, heard } = world()
    for (let holder = 0; holder < 40; holder++) say(`slow ${holder}`, `hangs ${holder}`)
    say('quick', 'wallet')
    await vi.advanceTimersByTimeAsync(999)
    expect([tried.length, heard]).toEqual([32, []])
    await vi.advanceTimersByTimeAsync(1)
    expect([tried.length, heard]).toEqual([41, ['quick']])
  })

  it('has more attempts once it was quick, as a mediator of many wallets is, and two again once it hangs', async () => {
    const { say, tried, heard, hang } = world()
    const burst = async (name: string) => {
      const before = tried.length
      for (let holder = 0; holder < 40; holder++) say(`${name} ${holder}`, 'mediator')
      await vi.advanceTimersByTimeAsync(0)
      return tried.length - before
    }
    expect([await burst('first'), heard.length]).toEqual([40, 40])
    hang('mediator')
    expect(await burst('second')).toBe(32)
    // Five seconds later those 32 are given up, and of the rest two are tried.
    await vi.advanceTimersByTimeAsync(5_000)
    expect(tried).toHaveLength(40 + 32 + 2)
  })

  it('is waited for five seconds, three times in all', async () => {
    const { say, tried } = world()
    say('slow', 'hangs')
    const until = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms - performance.now())
      return tried.length
    }
    const startMs = performance.now()
    expect(await until(startMs + 9_999)).toBe(1)
    expect(await until(startMs + 10_000)).toBe(2)
    expect(await until(startMs + 74_999)).toBe(2)
    expect(await until(startMs + 75_000)).toBe(3)
    expect(await until(startMs + 600_000)).toBe(3)
  })

  it('and is a mailbox of our own is waited for as long as it takes, and is told once', async () => {
    const { say, tried, heard, keeping } = world()
    for (let holder = 0; holder < 32; holder++) say(`slow ${holder}`, `inside ${holder}`)
    say('quick', 'wallet')
    await vi.advanceTimersByTimeAsync(20_000)
    expect([tried.length, heard]).toEqual([32, []])
    keeping[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(heard).toEqual(['quick'])
    for (const kept of keeping) kept()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(tried).toHaveLength(33)
  })

  it('and is a mailbox of our own keeps its place, and others in the way give theirs', async () => {
    const { say, tried, heard } = world()
    say('kept', 'inside')
    for (let holder = 0; holder < 31; holder++) say(`slow ${holder}`, `hangs ${holder}`)
    say('quick', 'wallet')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(heard).toEqual(['quick'])
    await vi.advanceTimersByTimeAsync(600_000)
    expect(tried.filter((name) => name === 'kept')).toHaveLength(1)
  })

  it('has the oldest of what waits for it forgotten', async () => {
    const { say, tried } = world()
    for (let each = 0; each < 10; each++) say('slow', 'hangs', `${each}`)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(tried).toEqual(['0', '1', '4', '5'])
  })
})
