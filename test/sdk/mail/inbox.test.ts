import { DidCommMessageReceiver, DidCommTrustPingMessage } from '@credo-ts/didcomm'
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
  return { wallet, ping }
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
    await clock.pass(60_000)
    expect(await reading).toBe('reading_too_long')
    expect([waiting(wallet), wallet.dropped]).toEqual([0, ['reading it took too long']])
    expect(late).toThrow('outside of a step')
    await expect(wallet.rows.step(async () => undefined)).rejects.toMatchObject({ code: 'reading_too_long' })
  })
})
