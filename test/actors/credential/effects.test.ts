import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { credential } from '../../../src/actors/credential/rules.ts'
import { attachmentOf } from '../../../src/didcomm/message.ts'
import { HOLDER_WAIT_MS } from '../../../src/domain/exchange.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import {
  connect,
  connectionId,
  credentialId,
  exchangeWorld,
  offer,
  type ExchangeWorld,
} from '../exchange-world.ts'
import { eventually } from '../../eventually.ts'

const OFFER = 'issue-credential/2.0/offer-credential'
const PROBLEM = 'issue-credential/2.0/problem-report'
const CREDENTIAL = 'issue-credential/2.0/issue-credential'

let at: ExchangeWorld
beforeEach(async () => {
  at = await exchangeWorld()
  await connect(at)
})
afterEach(() => at.close())

const status = async (): Promise<unknown> => {
  const record = await at.actors.read(credential.ref(credentialId))
  return isRefused(record) ? record : record.status
}
const messages = (): string[] =>
  at.sent.map(({ message }) => message.type).filter((type) => type !== 'didexchange/1.1/response')
const received = () => ({ atMs: at.runtime.now(), from: connectionId, prefix: OLD_PREFIX })
const request = async () => {
  const body = await at.keep(credentialId, '{}')
  return at.ask(credentialId, { type: 'ReceiveCredentialRequest', ...received(), request: body })
}

describe('the actor of a credential exchange', () => {
  it('sends the offer, signs once, sends what it signed, and is done with the ack', async () => {
    await offer(at)
    await eventually(() => expect(messages()).toEqual([OFFER]))
    await request()
    await eventually(async () => expect(await status()).toBe('credential-issued'))
    await at.ask(credentialId, { type: 'ReceiveCredentialAck', ...received() })
    expect(await status()).toBe('done')
    expect(messages()).toEqual([OFFER, CREDENTIAL])
    expect(at.sent.at(-1)?.message.prefix).toBe(OLD_PREFIX)
    const offered = at.sent.find(({ message }) => message.type === OFFER)
    const format = 'anoncreds/credential-offer@v1.0'
    expect(attachmentOf(offered?.message.body ?? {}, 'offers~attach', format)).toMatchObject({ nonce: '42' })
  })

  it('signs once however often it is restarted while the wallet is away', async () => {
    await offer(at)
    await eventually(() => expect(messages()).toEqual([OFFER]))
    at.world.walletAway = true
    await request()
    await eventually(() => expect(at.world.signatures).toBe(1))
    await at.restart()
    await at.restart()
    at.world.walletAway = false
    await eventually(async () => expect(await status()).toBe('credential-issued'))
    expect(at.world.signatures).toBe(1)
    expect([at.world.sendings[OFFER]?.size, at.world.sendings[CREDENTIAL]?.size]).toEqual([1, 1])
  })

  it('ends when the wallet’s request cannot be signed, and tells the wallet', async () => {
    at.world.requestIsBad = true
    await offer(at)
    await request()
    await eventually(() => expect(messages()).toContain(PROBLEM))
    expect(await status()).toBe('abandoned')
  })

  it('ends with a counter-proposal, which the wallet hears as soon as it is there', async () => {
    await offer(at)
    await eventually(() => expect(messages()).toEqual([OFFER]))
    at.world.walletAway = true
    await at.ask(credentialId, { type: 'ReceiveCredentialProposal', ...received() })
    expect(await status()).toBe('declined')
    await eventually(() => expect(at.world.attempts[PROBLEM]).toBe(1))
    at.world.walletAway = false
    at.runtime.forward(10_000)
    await eventually(() => expect(messages()).toEqual([OFFER, PROBLEM]))
    expect(at.sent.at(-1)?.message).toMatchObject({
      prefix: OLD_PREFIX,
      threadId: credentialId,
      body: { description: { code: 'issuance-abandoned' } },
    })
  })

  it('is abandoned after 24 hours of silence', async () => {
    await offer(at)
    at.runtime.forward(HOLDER_WAIT_MS + 1000)
    await eventually(async () => expect(await status()).toBe('abandoned'))
  })

  it('keeps no attribute in the journal in clear', async () => {
    await offer(at)
    await request()
    await eventually(async () => expect(await status()).toBe('credential-issued'))
    const stored = JSON.stringify([...at.journal.events.values()])
    expect(stored).not.toContain('Lovelace')
    expect(stored).not.toContain('Phone of Ada')
  })
})
