import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { credential } from '../../../src/actors/credential/rules.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { HOLDER_WAIT_MS } from '../../../src/domain/exchange.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import { OWED_TIMER } from '../../../src/host/timers/shard-timers.ts'
import { eventually } from '../../eventually.ts'
import {
  connect,
  connectionId,
  credentialId,
  exchangeWorld,
  offer,
  type ExchangeWorld,
} from '../exchange-world.ts'

const OFFER = 'issue-credential/2.0/offer-credential'
const CREDENTIAL = 'issue-credential/2.0/issue-credential'

let at: ExchangeWorld
beforeEach(async () => {
  at = await exchangeWorld()
  await connect(at)
  await offer(at)
  await eventually(() => expect(at.world.attempts[OFFER]).toBe(1))
})
afterEach(() => at.close())

const status = async (): Promise<unknown> => {
  const record = await at.actors.read(credential.ref(credentialId))
  return isRefused(record) ? record : record.status
}
const received = () => ({ atMs: at.runtime.now(), from: connectionId, prefix: OLD_PREFIX })
const request = async () => {
  const body = await at.keep(credentialId, '{"request":1}')
  return at.ask(credentialId, { type: 'ReceiveCredentialRequest', ...received(), request: body })
}
const ack = () => at.ask(credentialId, { type: 'ReceiveCredentialAck', ...received() })
const issued = () => eventually(async () => expect(await status()).toBe('credential-issued'))
const sent = () => at.sent.filter(({ message }) => message.type === CREDENTIAL)
const nothingIsKept = () => eventually(() => expect([...at.bodies.kept.keys()]).toEqual([]))
/** No wake-up is left that a takeover would meet. */
const nothingIsOwed = () =>
  eventually(() => {
    at.runtime.forward(60)
    const owed = [...at.journal.timers.values()].filter(({ timerId }) => timerId === OWED_TIMER)
    expect(owed.filter(({ actor }) => actor === credentialId)).toEqual([])
  })

describe('the bodies of an issuance', () => {
  it('are the request until it is signed and the credential until the ack, and nothing of either is in events', async () => {
    at.world.walletAway = true
    await request()
    await eventually(() => expect(at.world.attempts[CREDENTIAL]).toBe(1))
    await eventually(() => expect(at.bodies.kept.size).toBe(1))
    at.world.walletAway = false
    at.runtime.forward(2_000)
    await issued()
    expect(at.bodies.kept.size).toBe(1)
    await ack()
    await nothingIsKept()
    await nothingIsOwed()
    const events = at.journal.eventsOf(credentialId) as { d: Record<string, unknown> }[]
    const hash = expect.stringMatching(/^[\w-]{43}$/) as unknown
    const id = expect.any(String) as unknown
    expect(events.flatMap(({ d }) => ('request' in d ? [d['request']] : []))).toEqual([{ id, hash }])
    expect(events.flatMap(({ d }) => ('credential' in d ? [d['credential']] : []))).toEqual([{ id, hash }])
    expect(at.faults().filter(({ during }) => during !== 'effect')).toEqual([])
  })

  it('go with an end that nobody signed for', async () => {
    await at.keep(credentialId, 'of a message whose command never came')
    await at.ask(credentialId, { type: 'ReceiveCredentialProposal', ...received() })
    await nothingIsKept()
    expect(await status()).toBe('declined')
  })

  it('go with the silence of a wallet that never acknowledges', async () => {
    await request()
    await issued()
    expect(at.bodies.kept.size).toBe(1)
    at.runtime.forward(HOLDER_WAIT_MS + 1_000)
    await eventually(async () => expect(await status()).toBe('abandoned'))
    await nothingIsKept()
  })

  it('do not stay when the exchange ended while it was signed', async () => {
    const signing = Promise.withResolvers<undefined>()
    const go = Promise.withResolvers<undefined>()
    at.world.whileComputing = () => {
      signing.resolve(undefined)
      return go.promise
    }
    await request()
    await signing.promise
    await at.ask(credentialId, { type: 'ReceiveCredentialProblem', ...received(), code: 'no', text: 'No' })
    await nothingIsKept()
    go.resolve(undefined)
    await eventually(() => expect(at.bodies.calls.filter((call) => call.startsWith('put'))).toHaveLength(2))
    await nothingIsKept()
    expect(sent()).toEqual([])
  })
})

describe('a body that is owed and not there as it was written', () => {
  it.each([
    ['missing', () => at.bodies.kept.clear()],
    ['another', () => at.bodies.kept.forEach((_, name) => at.bodies.kept.set(name, 'other'))],
  ])('is an error that is reported and tried again, when it is %s', async (_what, spoil) => {
    let written: [string, string][] = []
    at.world.whileComputing = async () => {
      throw new Error('not yet')
    }
    await request()
    await eventually(() => expect(at.faults().map(({ error }) => String(error))).toContain('Error: not yet'))
    written = [...at.bodies.kept]
    spoil()
    at.world.whileComputing = () => Promise.resolve(undefined)
    at.runtime.forward(2_000)
    await eventually(() => expect(String(at.faults().at(-1)?.error)).toMatch(/^BodyMissing/))
    expect(await status()).toBe('request-received')
    for (const [name, text] of written) at.bodies.kept.set(name, text)
    at.runtime.forward(300_000)
    await issued()
    expect(at.world.signatures).toBe(1)
  })
})

describe('a kill', () => {
  const ends = async (): Promise<void> => {
    await issued()
    await ack()
    expect(await status()).toBe('done')
    await nothingIsKept()
    await nothingIsOwed()
  }

  it('between a body and its event leaves a body that the end of the exchange takes along', async () => {
    await at.keep(credentialId, '{"request":1}')
    await at.crash()
    await request()
    await ends()
    expect(at.world.signatures).toBe(1)
  })

  it('between the body of the signed credential and its event sends one credential', async () => {
    at.bodies.afterPut = () => {
      const isCredential = at.bodies.calls.filter((call) => call.startsWith('put')).length === 2
      if (isCredential) at.journal.hold()
    }
    await request()
    await eventually(() => expect(at.journal.appends).toBeGreaterThan(0))
    await eventually(() => expect(at.world.signatures).toBe(1))
    await at.crash()
    at.journal.release()
    await ends()
    expect(sent()).toHaveLength(1)
  })

  it('between the event of the signature and the sending sends what was signed, and signs nothing else', async () => {
    at.world.walletAway = true
    await request()
    await eventually(() => expect(at.world.attempts[CREDENTIAL]).toBe(1))
    await at.crash()
    at.world.walletAway = false
    at.runtime.forward(2_000)
    await ends()
    expect(at.world.signatures).toBe(1)
    expect(sent()).toHaveLength(1)
  })

  it('between the sending and its event sends the same again', async () => {
    at.world.afterSending = (type) => (type === CREDENTIAL ? new Promise(() => undefined) : Promise.resolve())
    await request()
    await eventually(() => expect(sent()).toHaveLength(1))
    at.world.afterSending = () => Promise.resolve()
    await at.crash()
    await ends()
    const attached = sent().map(({ message }) => JSON.stringify(message.body['credentials~attach']))
    expect(attached).toHaveLength(2)
    expect(attached[1]).toBe(attached[0])
    expect(at.world.signatures).toBe(1)
  })

  it.each(['ack', 'signature'])('between the %s and the deletion ends with the deletion', async (after) => {
    if (after === 'ack') {
      await request()
      await issued()
      at.bodies.keepOnly = () => Promise.reject(new Error('cut off'))
      await ack()
    } else {
      at.world.walletAway = true
      at.bodies.keepOnly = () => Promise.reject(new Error('cut off'))
      await request()
      await eventually(() => expect(at.world.attempts[CREDENTIAL]).toBe(1))
    }
    await eventually(() => expect(at.faults().map(({ during }) => during)).toContain('body'))
    const before = at.bodies.kept.size
    // @ts-expect-error: the method of the class is there again.
    delete at.bodies.keepOnly
    await at.crash()
    await eventually(() => expect(at.bodies.kept.size).toBe(before - 1))
    if (after === 'signature') {
      at.world.walletAway = false
      at.runtime.forward(2_000)
      await ends()
    }
    await nothingIsKept()
    await nothingIsOwed()
  })
})
