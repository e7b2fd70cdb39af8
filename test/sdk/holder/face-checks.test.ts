import { beforeEach, describe, expect, it } from 'vitest'
import type { AgentSteps } from '../../../sdk/core/agent/agent-steps.ts'
import type { WalletAgent } from '../../../sdk/core/agent/open-agent.ts'
import { BiometricCaptures } from '../../../sdk/core/biometric-capture.ts'
import { FaceChecks } from '../../../sdk/core/holder/face-checks.ts'
import type { Mail } from '../../../sdk/core/mail/mail.ts'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { SDK_VERSION } from '../../../sdk/core/version.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { MemoryKeys, MemoryStorage, SteppedClock } from '../fakes.ts'

type Handler = {
  readonly supportedMessages: readonly { readonly type: { readonly messageName: string } }[]
  readonly handle: (heard: object) => Promise<unknown>
}

const CHECK = 'fck_00aaaaaaaa'
const OFFER = 'cre_00aaaaaaaa'

/** An organisation says what the test says, and the wallet's library sends nothing anywhere. */
const checking = async () => {
  const rows = await RowStore.open(new MemoryStorage(), new MemoryKeys(), sodiumCryptography)
  const clock = new SteppedClock()
  const captures = new BiometricCaptures()
  const handlers: Handler[] = []
  const said: string[] = []
  const toCome: (() => Promise<void>)[] = []
  const agent = {
    context: {},
    dependencyManager: {
      resolve: () => ({
        getById: async () => ({ id: 'connection' }),
        sendMessage: async ({ message }: { readonly message: { readonly type: string } }) =>
          void said.push(message.type.split('/').at(-1) ?? ''),
      }),
    },
    didcomm: {
      registerMessageHandlers: (some: readonly Handler[]) => void handlers.push(...some),
      credentials: { findAllByQuery: async () => [{ id: 'offer' }] },
      proofs: { findAllByQuery: async () => [] },
    },
  } as unknown as WalletAgent
  const checks = new FaceChecks({
    agent,
    rows,
    steps: { run: (work: never) => rows.step(work) } as unknown as AgentSteps,
    mail: { exchange: async () => [], sync: async () => toCome.shift()?.() } as unknown as Mail,
    clock,
    captures,
    tell: () => undefined,
  })
  const hears = (name: string, content: object = {}): Promise<unknown> => {
    const handler = handlers.find(({ supportedMessages: [first] }) => first?.type.messageName === name)
    const message = {
      toJSON: () => content,
      thread: { parentThreadId: OFFER },
      threadId: CHECK,
      timing: { expiresTime: new Date(clock.now() + 1_800_000) },
    }
    return rows.step(async () => handler?.handle({ message, connection: { id: 'connection' } }))
  }
  return {
    checks,
    said,
    hears,
    clock,
    toCome,
    /** The organisation answers `begin` with a session, and what comes meanwhile comes while the holder captures. */
    capturing: (meanwhile: () => Promise<unknown>): void => {
      toCome.push(async () => void (await hears('session', { session: { token: 'x' } })))
      captures.add({
        version: SDK_VERSION,
        vendor: 'sandbox',
        capture: async () => {
          await meanwhile()
          return 'captured'
        },
      })
    },
    issued: () =>
      rows.step(() =>
        checks.exchangeChanged('offer', [{ name: 'offerChanged', data: { state: 'received' } } as never]),
      ),
  }
}

let at: Awaited<ReturnType<typeof checking>>
beforeEach(async () => {
  at = await checking()
  await at.hears('required', { vendor: 'sandbox' })
})

describe('a check of the face', () => {
  it('asks again for a session that was lost on its way', async () => {
    at.capturing(() => at.hears('again'))
    const session = at.toCome.shift()
    const running = at.checks.run(CHECK).catch((error: unknown) => error)
    for (let second = 0; at.said.length < 2 && second < 60; second += 1) await at.clock.pass(1_000)
    expect(at.said).toEqual(['begin', 'begin'])
    expect(at.clock.now()).toBeGreaterThanOrEqual(10_000)
    await session?.()
    await at.clock.pass(1_000)
    expect(await running).toMatchObject({ code: 'biometric_again' })
    expect(at.said).toEqual(['begin', 'begin', 'captured'])
  })

  it('says what became of an attempt that was looked at while the holder still captured', async () => {
    at.capturing(() => at.hears('again'))
    await expect(at.checks.run(CHECK)).rejects.toMatchObject({ code: 'biometric_again' })
    expect(at.said).toEqual(['begin', 'captured'])
    expect(at.checks.list()).toMatchObject([{ id: CHECK, state: 'again' }])
  })

  it('that is over by then is over, and is run no more', async () => {
    at.capturing(() => at.hears('over'))
    await expect(at.checks.run(CHECK)).rejects.toMatchObject({ code: 'biometric_over' })
    await expect(at.checks.run(CHECK)).rejects.toMatchObject({ code: 'biometric_over' })
    expect(at.said).toEqual(['begin', 'captured'])
  })

  it('that was passed while the holder still captured does not come back', async () => {
    at.capturing(() => at.issued())
    await at.checks.run(CHECK)
    expect(at.checks.list()).toEqual([])
  })
})
