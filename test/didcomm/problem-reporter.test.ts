import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { composeMessage, parseMessage } from '../../src/didcomm/message.ts'
import { ProblemReporter } from '../../src/didcomm/problem-reporter.ts'
import { EgressRefused } from '../../src/egress/failures.ts'
import { eventually } from '../eventually.ts'

const answered = parseMessage(composeMessage({ id: 'm', type: 'issue-credential/2.0/ack' }))
if (answered === null) throw new Error('no message')
const service = { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] }
const to = async () => ({ service, ownSeed: 'seed' })
const source = (organisation = 0, address = 0) => ({
  tenant: `ten_${organisation}`,
  address: `con_${organisation}_${address}`,
})
const said = { code: 'issuance-abandoned', text: 'Too late.' }

describe('what a sender hears of a refusal', () => {
  it('is sent again to an address that is away for a moment, until it is taken', async () => {
    const sent: string[] = []
    const reporter = new ProblemReporter(
      async (_to, message) => {
        sent.push(message)
        if (sent.length < 3) throw new Error('away')
      },
      [1, 1, 1],
    )
    reporter.report(source(), to, answered, said)
    await eventually(() => expect(sent).toHaveLength(3))
    expect(new Set(sent).size).toBe(1)
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

  it('is not taken where all places are in use, and its sender may send again what it answers', async () => {
    const reporter = new ProblemReporter(() => new Promise(() => {}))
    const taken = Array.from({ length: 9 }, () => reporter.report(source(1), to, answered, said))
    expect(taken.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'accepted'))
    expect(taken[8]).toEqual({ retryAfterMs: 10_000 })
    expect(reporter.report(source(2), to, answered, said)).toBe('accepted')
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

  it('keeps the newest eight of a connection and 32 of an organisation, and gives up the oldest that waits', async () => {
    const tried: string[] = []
    const reporter = new ProblemReporter(
      async (_to, message) => {
        tried.push((JSON.parse(message) as { '~thread': { thid: string } })['~thread'].thid)
        throw new Error('away')
      },
      [300],
    )
    const message = (name: string) => ({ ...answered, threadId: name })
    const again = () => tried.filter((name, index) => tried.indexOf(name) < index).sort()
    for (let index = 0; index < 10; index++) {
      reporter.report(source(1), to, message(`one ${index}`), said)
      await setTimeout(1)
    }
    for (let index = 0; index < 40; index++) {
      reporter.report(source(2, index), to, message(`many ${index}`), said)
      await setTimeout(1)
    }
    await setTimeout(500)
    expect(tried).toHaveLength(50 + 8 + 32)
    expect(
      again()
        .filter((name) => name.startsWith('one'))
        .slice(0, 3),
    ).toEqual(['one 2', 'one 3', 'one 4'])
    expect(again()).not.toContain('many 7')
    expect(again()).toContain('many 8')
  })
})
