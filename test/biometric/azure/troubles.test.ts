import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AzureFace } from '../../../src/biometric/azure/azure-face.ts'
import { EgressFailed } from '../../../src/egress/failures.ts'
import type { OutboundCall } from '../../../src/egress/outbound.ts'
import type { WholeAnswer } from '../../../src/egress/whole-answer.ts'
import type { Trouble } from '../../../tools/vendors/wire/troubles.ts'
import { checksWith, signal } from '../checks.ts'
import { begunIn, enteredFor, OURS, startFaceApi } from './resource.ts'

const matchMin = 70
const away = (why: string, retryAfterMs: number | null = null) => ({ kind: 'away', why, retryAfterMs })

type Kind = Exclude<Trouble['kind'], 'redirected' | 'slow' | 'altered'>

describe('Azure in trouble', () => {
  it.each<[Kind | 'redirected', object]>([
    ['throttled', away('throttled', 1_000)],
    ['broken', away('broken')],
    ['unreachable', away('unreachable')],
    ['answer-lost', away('unreachable')],
    ['redirected', away('redirected')],
    ['truncated', away('unreadable')],
    ['nonsense', away('unreadable')],
  ])('that is %s costs nothing, in whatever it is asked', async (kind, outcome) => {
    const { begin, rejoin, read, end, tryAccount, captured, orders } = await startFaceApi()
    const sessionId = await captured()
    await orders.trouble(kind === 'redirected' ? { kind, to: 'http://127.0.0.1:9/' } : { kind })
    expect(await begin()).toEqual(outcome)
    expect(await rejoin(sessionId)).toEqual(outcome)
    expect(await read(sessionId)).toEqual(outcome)
    expect(await tryAccount()).toEqual({ obstacles: [outcome] })
    await orders.calm()
    expect(await read(sessionId, { matchMin })).toMatchObject({ attempts: [{ verdict: 'passed' }] })
    await orders.trouble(kind === 'redirected' ? { kind, to: 'http://127.0.0.1:9/' } : { kind })
    const ended = await end(sessionId)
    // What has no content is whole when it is cut off, and a page is an answer to a deletion.
    expect(ended).toEqual(kind === 'truncated' || kind === 'nonsense' ? { kind: 'gone' } : outcome)
  })

  it('is asked once and not again', async () => {
    const { read, captured, orders } = await startFaceApi()
    const sessionId = await captured()
    await orders.forgetHeard()
    for (const kind of ['throttled', 'broken', 'unreachable'] as const) {
      await orders.calm()
      await orders.trouble({ kind })
      await read(sessionId)
    }
    expect(await orders.heard()).toHaveLength(3)
  })

  it('that says nothing is waited for as long as allowed', { timeout: 30_000 }, async () => {
    const { read, orders } = await startFaceApi()
    await orders.trouble({ kind: 'silent' })
    expect(await read(randomUUID())).toEqual(away('unreachable'))
  })

  it('that says nothing is given up when the service stops', async () => {
    const { vendor, entered, orders } = await startFaceApi()
    await orders.trouble({ kind: 'silent' })
    const stop = new AbortController()
    const call = vendor.end(entered, 'a-session', stop.signal)
    stop.abort(new Error('the service stops'))
    await expect(call).rejects.toThrow('the service stops')
  })

  const attempt = ['results', 'attempts', 0]
  it.each<[string, readonly (string | number)[], unknown, string]>([
    ['of another session', ['sessionId'], 'another', 'contradictory'],
    ['of no session', ['sessionId'], undefined, 'contradictory'],
    ['with tries that are no list', ['results', 'attempts'], 'three', 'unreadable'],
    ['with a try that is none', attempt, null, 'unreadable'],
    ['with very many tries', ['results', 'attempts'], Array.from({ length: 21 }, () => ({})), 'unreadable'],
    ['with a try without a number', [...attempt, 'attemptId'], 'one', 'unreadable'],
    ['with a result and an error', [...attempt, 'error'], { code: 'X' }, 'contradictory'],
    ['with a success without a result', [...attempt, 'result'], undefined, 'contradictory'],
    ['with a result in words', [...attempt, 'result'], 'passed', 'unreadable'],
    ['with a decision that there is not', [...attempt, 'result', 'livenessDecision'], 'fine', 'unreadable'],
    ['without a decision', [...attempt, 'result', 'livenessDecision'], undefined, 'unreadable'],
    [
      'with more than all likeness',
      [...attempt, 'result', 'verifyResult', 'matchConfidence'],
      1.01,
      'unreadable',
    ],
    ['with likeness in words', [...attempt, 'result', 'verifyResult', 'matchConfidence'], '1', 'unreadable'],
    ['without its view', [...attempt, 'result', 'verifyResult', 'isIdentical'], undefined, 'unreadable'],
    ['with a comparison in words', [...attempt, 'result', 'verifyResult'], 'same', 'unreadable'],
    ['of no image', [...attempt, 'result', 'verifyImageHash'], undefined, 'unreadable'],
    ['of another image', [...attempt, 'result', 'verifyImageHash'], '0'.repeat(64), 'contradictory'],
    ['of an image in words', [...attempt, 'result', 'verifyImageHash'], 'mine', 'unreadable'],
  ])('that tells a result %s is not believed', async (_, at, to, why) => {
    const { read, captured, orders } = await startFaceApi()
    const sessionId = await captured()
    await orders.trouble({ kind: 'altered', at, to, operations: ['GetSession'] })
    expect(await read(sessionId, { matchMin })).toEqual(away(why))
  })

  it('that tells one try twice is not believed', async () => {
    const { read, captured, orders } = await startFaceApi()
    const sessionId = await captured([
      { people: ['holder'], sort: 'spoof' },
      { people: ['holder'], sort: 'live' },
    ])
    await orders.trouble({
      kind: 'altered',
      at: [...attempt, 'attemptId'],
      to: 1,
      operations: ['GetSession'],
    })
    expect(await read(sessionId, { matchMin })).toEqual(away('contradictory'))
  })

  it('that says that a likeness is none is believed', async () => {
    const { read, captured, orders } = await startFaceApi()
    const sessionId = await captured()
    const at = [...attempt, 'result', 'verifyResult', 'isIdentical']
    await orders.trouble({ kind: 'altered', at, to: false, operations: ['GetSession'] })
    expect(await read(sessionId, { matchMin })).toMatchObject({ attempts: [{ verdict: 'another-person' }] })
  })

  it('whose session cannot be used keeps nothing of it', async () => {
    const { begin, orders } = await startFaceApi()
    await orders.trouble({ kind: 'altered', at: ['authToken'], to: '', operations: ['CreateSession'] })
    expect(await begin()).toEqual(away('unreadable'))
    expect(await orders.held()).toEqual([])
  })

  it('that hands out another session than was asked for is not believed', async () => {
    const { begin, rejoin, orders } = await startFaceApi()
    const { sessionId } = begunIn(await begin())
    await orders.trouble({ kind: 'altered', at: ['sessionId'], to: 'another', operations: ['GetSession'] })
    expect(await rejoin(sessionId)).toEqual(away('contradictory'))
  })
})

describe('a set-up of Azure', () => {
  it('that is right is shown to be, and nothing of the trial stays', async () => {
    const { tryAccount, orders } = await startFaceApi()
    expect(await tryAccount()).toEqual({ obstacles: [] })
    expect(await orders.held()).toEqual([])
    expect((await orders.heard()).map(({ operation }) => operation)).toEqual([
      'CreateSession',
      'DeleteSession',
    ])
  })

  const WRONG_KEY = 'Azure does not take the key: it is not one of the resource behind settings.endpoint.'
  const NO_ENDPOINT =
    'settings.endpoint must be the address of a Face resource, such as https://NAME.cognitiveservices.azure.com.'
  it.each<[string, { readonly key?: string; readonly path?: string }, string, string]>([
    ['another key', { key: 'unknown' }, 'key', WRONG_KEY],
    ['no key', { key: '' }, 'settings', 'credentials.key must be a key of the Face resource.'],
    [
      'a key with a line break',
      { key: 'a\r\nb' },
      'settings',
      'credentials.key must be a key of the Face resource.',
    ],
    ['a page behind the endpoint', { path: '/face/v1.2' }, 'settings', NO_ENDPOINT],
    ['a question behind the endpoint', { path: '/?a=b' }, 'settings', NO_ENDPOINT],
  ])('with %s is told what is wrong', async (_, { key = 'a-key-of-ours', path = '' }, what, sentence) => {
    const { tryAccount, begin, url } = await startFaceApi()
    const account = enteredFor(`${url}${path}`, key)
    expect(await tryAccount(account)).toEqual({ obstacles: [{ kind: 'refused', what, sentence }] })
    expect(await begin({ account })).toEqual({ kind: 'refused', what, sentence })
  })

  it.each([
    '',
    'contoso',
    'ftp://example.com',
    'https://user:word@example.com',
    `https://${'a'.repeat(300)}.com`,
  ])('with the endpoint %j is told what is wrong', async (endpoint) => {
    const { tryAccount } = await startFaceApi()
    expect(await tryAccount(enteredFor(endpoint))).toEqual({
      obstacles: [{ kind: 'refused', what: 'settings', sentence: NO_ENDPOINT }],
    })
  })

  it('without Microsoft’s approval is told that it is missing', async () => {
    const { tryAccount, orders } = await startFaceApi()
    await orders.putResource({ ...OURS, isApproved: false })
    expect(await tryAccount()).toEqual({
      obstacles: [
        {
          kind: 'refused',
          what: 'permission',
          sentence:
            'Microsoft has not approved face verification for this resource: it is Limited Access and has to be applied for.',
        },
      ],
    })
  })
})

describe('answers of Azure by hand', () => {
  const KEY = 'a-key-nobody-may-see'
  const answering = (answer: Partial<WholeAnswer> | Error) => {
    const calls: OutboundCall[] = []
    const vendor = new AzureFace({
      now: Date.now,
      outbound: {
        call: async (call) => {
          calls.push(call)
          if (answer instanceof Error) throw answer
          return { status: 200, headers: {}, body: Buffer.alloc(0), ...answer }
        },
      },
    })
    const account = enteredFor('https://contoso.cognitiveservices.azure.com/', KEY)
    return { calls, vendor, account, ...checksWith(vendor, account) }
  }
  const error = (code: unknown, message: unknown = '') =>
    Buffer.from(JSON.stringify({ error: { code, message } }))

  it.each([
    ['a route that there is not', { status: 404, body: error('404') }, { what: 'endpoint' }],
    ['a network that is not allowed', { status: 403, body: error('403') }, { what: 'permission' }],
    ['a refusal in other words', { status: 400, body: error('InvalidTokenLifetime') }, { what: 'other' }],
    ['a refusal without words', { status: 400, body: Buffer.from('<html>') }, { what: 'other' }],
    ['a code that is none', { status: 400, body: error({ a: 1 }, ['x']) }, { what: 'other' }],
    ['an error with a page', { status: 502, body: Buffer.from('<html>') }, away('broken')],
    ['nothing', {}, away('unreadable')],
    ['a list', { body: Buffer.from('[]') }, away('unreadable')],
    ['depth', { body: Buffer.from('['.repeat(100_000)) }, away('unreadable')],
    ['a promise', { status: 202, body: Buffer.from('{}') }, away('unreadable')],
    ['to wait a minute', { status: 429, headers: { 'retry-after': '60' } }, away('throttled', 60_000)],
    ['to wait a year', { status: 429, headers: { 'retry-after': '999999' } }, away('throttled', 3_600_000)],
    ['to wait till a day', { status: 503, headers: { 'retry-after': 'Fri, 1 Jan' } }, away('broken')],
  ])('such as %s are outcomes', async (_, answer, outcome) => {
    const { read, calls } = answering(answer)
    expect(await read('a-session')).toMatchObject(outcome)
    expect(calls).toHaveLength(1)
  })

  it('that see no face in the picture of nothing show that the set-up is right', async () => {
    const { tryAccount, calls } = answering({
      status: 400,
      body: error('InvalidImage', 'No face detected in the image.'),
    })
    expect(await tryAccount()).toEqual({ obstacles: [] })
    expect(calls).toHaveLength(1)
  })

  it('that no host of the name gives are of the endpoint', async () => {
    const cause = Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    const { tryAccount } = answering(new EgressFailed('gone', { cause }))
    expect(await tryAccount()).toEqual({
      obstacles: [
        {
          kind: 'refused',
          what: 'endpoint',
          sentence: 'There is no host with the name in settings.endpoint.',
        },
      ],
    })
  })

  it('are asked for at the resource, with the key in its header and limits', async () => {
    const { calls, end } = answering({ status: 204 })
    expect(await end('../../other?x')).toEqual({ kind: 'gone' })
    expect(calls).toEqual([
      {
        method: 'DELETE',
        url: 'https://contoso.cognitiveservices.azure.com/face/v1.2/detectLivenessWithVerify-sessions/..%2F..%2Fother%3Fx',
        headers: { Accept: 'application/json', 'Ocp-Apim-Subscription-Key': KEY },
        body: null,
        timeoutMs: 6_000,
        answerBytesMax: 131_072,
        signal,
      },
    ])
  })

  it('that repeat what was sent put nothing of it into an outcome', async () => {
    for (const status of [400, 401, 403, 404, 429, 500]) {
      const { begin, read, end, tryAccount } = answering({ status, body: error(KEY, `${KEY} ${KEY}`) })
      const outcomes = [await begin(), await read('s'), await end('s'), await tryAccount()]
      expect(JSON.stringify(outcomes)).not.toContain(KEY)
    }
  })
})
