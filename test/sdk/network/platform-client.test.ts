import { describe, expect, it } from 'vitest'
import { overHttps } from '../../../sdk/core/network/addresses.ts'
import { overHttpToo } from '../../../sdk/core/network/plain-addresses.ts'
import { PlatformClient } from '../../../sdk/core/network/platform-client.ts'
import { Questions } from '../../../sdk/core/network/questions.ts'
import { WalletError } from '../../../sdk/core/wallet-error.ts'
import { jsonBody, ScriptedNetwork, SteppedClock } from '../fakes.ts'

const BASE = 'https://platform.example'

const clientOf = (
  network: ScriptedNetwork,
  token: (again: boolean) => Promise<string>,
  base = BASE,
  clock = new SteppedClock(),
) => new PlatformClient(new Questions(network, overHttps), base, ({ again }) => token(again), clock)

const failureOf = async (work: Promise<unknown>): Promise<WalletError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof WalletError) return error
  throw new Error(`it ended with ${String(error)}`)
}

describe('the token of a wallet', () => {
  it('is asked for again once when the platform refuses it', async () => {
    const asked: boolean[] = []
    const network = new ScriptedNetwork(({ headers }) =>
      headers['Authorization'] === 'Bearer second'
        ? { body: jsonBody({ indyNamespace: 'x' }) }
        : { status: 401 },
    )
    const client = clientOf(network, async (again) => {
      asked.push(again)
      return again ? 'second' : 'first'
    })
    expect(await client.ledger()).toEqual({ indyNamespace: 'x' })
    expect(asked).toEqual([false, true])
  })

  it('is rejected when it is refused twice', async () => {
    const network = new ScriptedNetwork(() => ({ status: 401 }))
    const { kind } = await failureOf(clientOf(network, async () => 'token').ledger())
    expect([kind, network.asked.length]).toEqual(['WalletTokenRejected', 2])
  })

  it.each([
    ['a provider that fails', () => Promise.reject(new Error('signed out'))],
    [
      'one that throws at once',
      () => {
        throw new Error('signed out')
      },
    ],
    ['one that gives something else', async () => undefined as unknown as string],
    ['one that gives nothing', async () => ''],
  ])('is not to be had of %s, which is no rejection', async (_, provider) => {
    const network = new ScriptedNetwork(() => ({}))
    expect(await failureOf(clientOf(network, provider).ledger())).toMatchObject({
      kind: 'PlatformError',
      code: 'token_provider_failed',
    })
    expect(network.asked).toEqual([])
  })

  it('is not to be had without network', async () => {
    const network = new ScriptedNetwork(() => ({}))
    network.online = false
    const offline = clientOf(network, () => Promise.reject(new TypeError('fetch failed')))
    expect(await failureOf(offline.ledger())).toMatchObject({ kind: 'NetworkUnavailable' })
  })

  it('is waited for half a minute and no longer', async () => {
    const clock = new SteppedClock()
    const asked = failureOf(
      clientOf(new ScriptedNetwork(() => ({})), () => new Promise(() => undefined), BASE, clock).ledger(),
    )
    await clock.pass(30_000)
    expect(await asked).toMatchObject({ kind: 'PlatformError', code: 'token_provider_failed' })
  })

  it('goes to the platform alone', async () => {
    const network = new ScriptedNetwork(() => ({ body: Buffer.from('file') }))
    await clientOf(network, async () => 'token').file('https://files.example/genesis')
    expect(network.asked[0]?.headers).not.toHaveProperty('Authorization')
  })
})

describe('what the platform answers', () => {
  const failing = (answer: ConstructorParameters<typeof ScriptedNetwork>[0]) =>
    failureOf(clientOf(new ScriptedNetwork(answer), async () => 'token').mediatorInvitation())

  it('is a failure of its own with code and time to wait', async () => {
    const limited = await failing(() => ({
      status: 429,
      retryAfter: '7',
      body: jsonBody({ error: 'rate_limited', reason: 'three in ten minutes' }),
    }))
    expect(limited).toMatchObject({ kind: 'PlatformError', code: 'rate_limited', retryAfterSeconds: 7 })
    expect(await failing(() => ({ status: 503 }))).toMatchObject({
      kind: 'PlatformError',
      code: 'status_503',
      retryAfterSeconds: null,
    })
    expect(await failing(() => ({ body: Buffer.from('<html>') }))).toMatchObject({ kind: 'PlatformError' })
  })

  it('is missed where there is no network', async () => {
    expect(await failing(() => new Error('ENOTFOUND'))).toMatchObject({ kind: 'NetworkUnavailable' })
  })

  it.each([
    ['a status of redirects', { status: 302 }],
    ['a redirect that nobody may look into', { status: 0 }],
    ['the answer of another address', { url: 'https://elsewhere.example/v1/wallet/mediator-invitation' }],
    ['the same address over plain http', { url: 'http://platform.example/v1/wallet/mediator-invitation' }],
  ])('is refused as %s', async (_, answer) => {
    expect(await failing(() => answer)).toMatchObject({ kind: 'PlatformError', code: 'redirect_refused' })
  })

  it('may write its own address a little differently', async () => {
    const network = new ScriptedNetwork(({ url }) => ({
      url: url.replace('https://platform.example', 'HTTPS://Platform.example:443'),
      body: jsonBody({}),
    }))
    await expect(clientOf(network, async () => 'token').ledger()).resolves.toEqual({})
  })
})

describe('addresses', () => {
  it.each([
    'http://platform.example',
    'HTTP://platform.example',
    'https:/platform.example',
    'https://',
    'ws://x',
    '//x',
  ])('without https are refused before anything is sent: %s', async (base) => {
    const network = new ScriptedNetwork(() => ({ body: jsonBody({}) }))
    const error = await failureOf(clientOf(network, async () => 'token', base).ledger())
    expect(error).toMatchObject({ kind: 'PlatformError', code: 'address_refused' })
    expect(network.asked).toEqual([])
  })

  it('may be without it in a development build', () => {
    expect(['http://127.0.0.1:8080', 'https://x', 'ftp://x', 'http:/x'].map(overHttpToo)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
