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
    expect(reporter.report(to, answered, said)).toBe(true)
    await eventually(() => expect(sent).toHaveLength(3))
    expect(new Set(sent).size).toBe(1)
  })

  it('is given up at once where the address is never written to', async () => {
    let attempts = 0
    const reporter = new ProblemReporter(() => {
      attempts += 1
      return Promise.reject(new EgressRefused('a private address'))
    }, [1, 1])
    reporter.report(to, answered, said)
    await setTimeout(50)
    expect(attempts).toBe(1)
  })

  it('is given up after some attempts, and only so many are under way', async () => {
    let attempts = 0
    const held = Promise.withResolvers<void>()
    const reporter = new ProblemReporter(async () => {
      attempts += 1
      await held.promise
      throw new Error('away')
    }, [1])
    const taken = Array.from({ length: 300 }, () => reporter.report(to, answered, said))
    expect(taken.filter(Boolean)).toHaveLength(256)
    held.resolve()
    await eventually(() => expect(attempts).toBe(512))
    await eventually(() => expect(reporter.report(to, answered, said)).toBe(true))
  })
})
