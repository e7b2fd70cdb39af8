import { TypedArrayEncoder } from '@credo-ts/core'
import type { DidCommMessage } from '@credo-ts/didcomm'
import { DidCommEnvelopeService, DidCommMessageReceiver, DidCommTrustPingMessage } from '@credo-ts/didcomm'
import { DidCommMessageSender, DidCommOutboundMessageContext } from '@credo-ts/didcomm'
import { describe, expect, it, vi } from 'vitest'
import { SteppedClock } from '../fakes.ts'
import { connected, walletAgent } from '../wallet-agent.ts'

const connectedPair = async (clock?: SteppedClock) => {
  const organisation = await walletAgent()
  const wallet = clock === undefined ? await walletAgent() : await walletAgent(clock)
  const { organisationSide } = await connected(organisation, wallet)
  const ping = async (): Promise<string> => {
    await organisation.steps.run(async () => {
      const outbound = new DidCommOutboundMessageContext(new DidCommTrustPingMessage({}), {
        agentContext: organisation.agent.context,
        connection: organisationSide,
      })
      await organisation.agent.dependencyManager.resolve(DidCommMessageSender).sendMessage(outbound)
    })
    return organisation.sent.shift()?.payload ?? ''
  }
  return { organisation, wallet, ping }
}

const waiting = ({ rows }: Awaited<ReturnType<typeof walletAgent>>): number => rows.allStored('incoming').size

describe('the inbox', () => {
  it('keeps a message whose effects cannot be stored, and reads it after the next start', async () => {
    const { wallet, ping } = await connectedPair()
    const envelope = await ping()
    await wallet.rows.step(async () => wallet.inbox.add(envelope))
    wallet.storage.fails = 'before'
    await expect(wallet.inbox.read()).rejects.toMatchObject({ kind: 'Internal', code: 'storage_failed' })
    wallet.storage.fails = 'never'
    await expect(wallet.inbox.read()).rejects.toMatchObject({ code: 'storage_failed' })
    expect([waiting(wallet), wallet.dropped]).toEqual([1, []])
  })

  it('gives up a message that takes too long, and what comes late changes nothing', async () => {
    const clock = new SteppedClock()
    const { wallet, ping } = await connectedPair(clock)
    const envelope = await ping()
    let late = (): void => undefined
    const receiver = wallet.agent.dependencyManager.resolve(DidCommMessageReceiver)
    vi.spyOn(receiver, 'receiveMessage').mockImplementation(
      () =>
        new Promise((resolve) => {
          late = () => {
            wallet.rows.put('thing', 'late', 'x')
            resolve()
          }
        }),
    )
    await wallet.rows.step(async () => wallet.inbox.add(envelope))
    const reading = wallet.inbox.read().then(
      () => 'read',
      ({ code }: { code: string }) => code,
    )
    await clock.pass(0)
    for (let second = 0; second < 60; second++) await clock.pass(1_000)
    expect(await reading).toBe('reading_too_long')
    expect([waiting(wallet), wallet.dropped]).toEqual([0, ['reading it took too long']])
    expect(late).toThrow('outside of a step')
    await expect(wallet.rows.step(async () => undefined)).rejects.toMatchObject({ code: 'reading_too_long' })
  })

  it('does not count the time in which the app was stopped in the middle of a message', async () => {
    const clock = new SteppedClock()
    const { wallet, ping } = await connectedPair(clock)
    const envelope = await ping()
    const receiver = wallet.agent.dependencyManager.resolve(DidCommMessageReceiver)
    const receive = receiver.receiveMessage.bind(receiver)
    let goOn = (): void => undefined
    const stopped = new Promise<void>((resolve) => void (goOn = resolve))
    vi.spyOn(receiver, 'receiveMessage').mockImplementation(async (...given) => {
      await stopped
      await receive(...given)
    })
    await wallet.rows.step(async () => wallet.inbox.add(envelope))
    const reading = wallet.inbox.read()
    await clock.pass(0)
    // Timers that are due come first when a phone lets the app go on.
    await clock.pass(86_400_000)
    goOn()
    expect(await reading).toBe(1)
    expect([waiting(wallet), wallet.dropped, wallet.sent.length]).toEqual([0, [], 1])
  })

  it('does not read messages that come inside of another, which would be outside of its step', async () => {
    const { organisation, wallet, ping } = await connectedPair()
    await wallet.receive(await ping())
    const { answer } = await organisation.opened(wallet.sent.shift()?.payload ?? '')
    const inner = JSON.parse(await ping()) as object
    const delivery = await answer({
      '@type': 'https://didcomm.org/messagepickup/2.0/delivery',
      '@id': crypto.randomUUID(),
      '~attach': [{ '@id': '1', data: { json: inner } }],
    })
    const batch = await answer({
      '@type': 'https://didcomm.org/messagepickup/1.0/batch',
      '@id': crypto.randomUUID(),
      'messages~attach': [{ id: crypto.randomUUID(), message: inner }],
    })
    const known = wallet.rows.allStored('known-message').size
    for (const envelope of [delivery, batch]) await wallet.receive(envelope)
    await new Promise((resolve) => setImmediate(resolve))
    expect(wallet.dropped).toEqual(Array(2).fill('a message may not bring other messages with it'))
    expect([wallet.sent, wallet.rows.allStored('known-message').size]).toEqual([[], known])
  })

  it.each([
    ['issue-credential/2.0/propose-credential', 'anoncreds/credential-filter@v1.0', 'filters~attach'],
    ['present-proof/2.0/propose-presentation', 'anoncreds/proof-request@v1.0', 'proposals~attach'],
  ])('keeps nothing of %s, which is for others', async (type, format, attachments) => {
    const { organisation, wallet, ping } = await connectedPair()
    await wallet.receive(await ping())
    const { answer } = await organisation.opened(wallet.sent.shift()?.payload ?? '')
    const content = { name: 'x', version: '1.0', requested_attributes: {}, requested_predicates: {} }
    const proposal = {
      '@type': `https://didcomm.org/${type}`,
      '@id': crypto.randomUUID(),
      formats: [{ attach_id: 'a', format }],
      [attachments]: [{ '@id': 'a', 'mime-type': 'application/json', data: { json: content } }],
    }
    await wallet.receive(await answer(proposal))
    const { credentials, proofs } = wallet.agent.didcomm
    expect([await credentials.getAll(), await proofs.getAll()]).toEqual([[], []])
    expect(wallet.dropped).toEqual(['a wallet neither issues nor verifies'])
  })

  it.each(['in clear', 'from a stranger'])('takes no offer %s, wherever the answer is to go', async (how) => {
    const { organisation, wallet, ping } = await connectedPair()
    await wallet.receive(await ping())
    const own = await organisation.opened(wallet.sent.shift()?.payload ?? '')
    const stranger = await walletAgent()
    const theirs = await stranger.rows.step(() => stranger.routing('https://stranger.example'))
    const offer = offerOf(TypedArrayEncoder.toBase58(theirs.recipientKey.publicKey.publicKey))
    const envelopes = stranger.agent.dependencyManager.resolve(DidCommEnvelopeService)
    const sealed = await envelopes.packMessage(
      stranger.agent.context,
      { toJSON: () => offer } as unknown as DidCommMessage,
      { recipientKeys: [own.from], routingKeys: [], senderKey: theirs.recipientKey },
    )
    await wallet.receive(JSON.stringify(how === 'in clear' ? offer : sealed))
    expect(await wallet.agent.didcomm.credentials.getAll()).toEqual([])
    expect(wallet.dropped).toEqual(['a message came from nobody whom the wallet is connected with'])
  })
})

/** An offer that says itself where it is to be answered. */
const offerOf = (key: string): object => ({
  '@type': 'https://didcomm.org/issue-credential/2.0/offer-credential',
  '@id': crypto.randomUUID(),
  '~service': { recipientKeys: [key], routingKeys: [], serviceEndpoint: 'https://stranger.example' },
  credential_preview: {
    '@type': 'https://didcomm.org/issue-credential/2.0/credential-preview',
    attributes: [{ name: 'name', value: 'Ada' }],
  },
  formats: [{ attach_id: 'a', format: 'anoncreds/credential-offer@v1.0' }],
  'offers~attach': [
    {
      '@id': 'a',
      'mime-type': 'application/json',
      data: { base64: Buffer.from(JSON.stringify({ schema_id: 's', cred_def_id: 'd' })).toString('base64') },
    },
  ],
})
