import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AwsRekognition } from '../../../src/biometric/aws/aws-rekognition.ts'
import type { OutboundCall } from '../../../src/egress/outbound.ts'
import type { WholeAnswer } from '../../../src/egress/whole-answer.ts'
import { scenes } from '../../../tools/vendors/people/camera.ts'
import type { Trouble } from '../../../tools/vendors/wire/troubles.ts'
import { HOLDER, signal } from '../checks.ts'
import { deviceIn, entered, startRegion } from './region.ts'

const away = (why: string) => ({ kind: 'away', why, retryAfterMs: null })

type Kind = Exclude<Trouble['kind'], 'redirected' | 'slow' | 'altered'>

describe('AWS in trouble', () => {
  it.each<[Kind | 'redirected', string]>([
    ['throttled', 'throttled'],
    ['broken', 'broken'],
    ['unreachable', 'unreachable'],
    ['answer-lost', 'unreachable'],
    ['redirected', 'redirected'],
    ['truncated', 'unreadable'],
    ['nonsense', 'unreadable'],
  ])('that is %s costs nothing, in whatever it is asked', async (kind, why) => {
    const { begin, rejoin, read, tryAccount, captured, orders } = await startRegion()
    const sessionId = await captured()
    const only = async (operation: string) => {
      await orders.calm()
      const reach = { operations: [operation] }
      await orders.trouble(
        kind === 'redirected' ? { kind, to: 'http://127.0.0.1:9/', ...reach } : { kind, ...reach },
      )
    }
    await only('AssumeRole')
    expect(await begin()).toEqual(away(why))
    expect(await rejoin(sessionId)).toEqual(away(why))
    expect(await tryAccount()).toEqual({ obstacles: [away(why)] })
    await only('CreateFaceLivenessSession')
    expect(await begin()).toEqual(away(why))
    await only('GetFaceLivenessSessionResults')
    expect(await read(sessionId)).toEqual(away(why))
    await only('CompareFaces')
    expect(await read(sessionId)).toEqual(away(why))
    expect(await tryAccount()).toEqual({ obstacles: [away(why)] })
    await orders.calm()
    expect(await read(sessionId)).toMatchObject({ kind: 'results', attempts: [{ verdict: 'passed' }] })
  })

  it('is asked once and not again', async () => {
    const { read, captured, orders } = await startRegion()
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
    const { read, orders } = await startRegion()
    await orders.trouble({ kind: 'silent' })
    const startedMs = performance.now()
    expect(await read(randomUUID())).toEqual(away('unreachable'))
    expect(performance.now() - startedMs).toBeGreaterThan(5_000)
  })

  it('that says nothing is given up when the service stops', async () => {
    const { vendor, orders } = await startRegion()
    await orders.trouble({ kind: 'silent' })
    const stop = new AbortController()
    const call = vendor.rejoin(entered, 'a-session', stop.signal)
    stop.abort(new Error('the service stops'))
    await expect(call).rejects.toThrow('the service stops')
  })

  it('that made a session and lost its answer gives the same one to the next try', async () => {
    const { begin, orders } = await startRegion()
    const checkId = `chk_${randomUUID()}`
    await orders.trouble({ kind: 'answer-lost', operations: ['CreateFaceLivenessSession'], times: 1 })
    expect(await begin({ checkId })).toEqual(away('unreachable'))
    const { sessionId } = deviceIn(await begin({ checkId }))
    expect(await orders.held()).toMatchObject([{ id: sessionId }])
  })

  it.each([['more calls than allowed', { calls: 0, perMs: 60_000 }]])(
    'that refuses %s throttles',
    async (_, quota) => {
      const { read, orders } = await startRegion()
      await orders.behave({ quota })
      expect(await read(randomUUID())).toEqual(away('throttled'))
    },
  )

  it.each<[string, readonly (string | number)[], unknown, string]>([
    ['of another session', ['SessionId'], 'another', 'contradictory'],
    ['of no session', ['SessionId'], undefined, 'contradictory'],
    ['in a status that there is not', ['Status'], 'PASSED', 'unreadable'],
    ['without a status', ['Status'], undefined, 'unreadable'],
    ['without a score', ['Confidence'], undefined, 'unreadable'],
    ['with too high a score', ['Confidence'], 100.1, 'unreadable'],
    ['with a score below nothing', ['Confidence'], -1, 'unreadable'],
    ['with a score in letters', ['Confidence'], 'high', 'unreadable'],
    ['with a picture that is no text', ['ReferenceImage', 'Bytes'], { a: 1 }, 'unreadable'],
    ['with a picture that is none', ['ReferenceImage', 'Bytes'], 'aGVsbG8=', 'unreadable'],
    ['with an empty picture', ['ReferenceImage', 'Bytes'], '', 'unreadable'],
  ])('that tells a result %s is not believed', async (_, at, to, why) => {
    const { read, captured, orders } = await startRegion()
    const sessionId = await captured()
    await orders.trouble({ kind: 'altered', at, to, operations: ['GetFaceLivenessSessionResults'] })
    expect(await read(sessionId)).toEqual(away(why))
  })

  it.each<[string, readonly (string | number)[], unknown, unknown]>([
    ['without its lists', ['FaceMatches'], undefined, away('unreadable')],
    ['with a list that is none', ['UnmatchedFaces'], 'some', away('unreadable')],
    ['without its score', ['FaceMatches', 0, 'Similarity'], undefined, away('unreadable')],
    ['with a score beyond all', ['FaceMatches', 0, 'Similarity'], 101, away('unreadable')],
    ['of no face', ['FaceMatches'], [], { kind: 'image-unfit', why: 'no-face' }],
  ])('that tells a comparison %s is not believed', async (_, at, to, reading) => {
    const { read, captured, orders } = await startRegion()
    const sessionId = await captured()
    await orders.trouble({ kind: 'altered', at, to, operations: ['CompareFaces'] })
    expect(await read(sessionId)).toEqual(reading)
  })

  it('that names no session, or one that is none, has begun none', async () => {
    const { begin, orders } = await startRegion()
    for (const to of [undefined, '', '../other', 7]) {
      await orders.calm()
      await orders.trouble({
        kind: 'altered',
        at: ['SessionId'],
        to,
        operations: ['CreateFaceLivenessSession'],
      })
      expect(await begin()).toEqual(away('unreadable'))
    }
  })
})

describe('clocks that are ten minutes apart', () => {
  it.each([600_000, -600_000])('are no hindrance (%d ms)', async (offsetMs) => {
    const { begin, read, capture, tryAccount, orders } = await startRegion()
    await orders.setClock(offsetMs)
    expect(await tryAccount()).toEqual({ obstacles: [] })
    const device = deviceIn(await begin())
    await orders.setClock(0)
    await capture(device, scenes.holder)
    await orders.setClock(offsetMs)
    expect(await read(device.sessionId)).toMatchObject({ attempts: [{ verdict: 'passed' }] })
    // Nor is it when one of them has been put right.
    await orders.setClock(0)
    expect(await begin()).toMatchObject({ kind: 'begun' })
    expect(await read(device.sessionId)).toMatchObject({ attempts: [{ verdict: 'passed' }] })
  })

  it('cost one more call, and no more than one', async () => {
    const { read, orders } = await startRegion()
    await orders.setClock(600_000)
    expect(await read(randomUUID())).toEqual({ kind: 'lost' })
    expect((await orders.heard()).map(({ code }) => code)).toEqual([
      'InvalidSignatureException',
      'SessionNotFoundException',
    ])
  })
})

describe('answers of AWS by hand', () => {
  const SECRET = entered.credentials['secretAccessKey'] ?? ''
  const answering = (answer: Partial<WholeAnswer>) => {
    const calls: OutboundCall[] = []
    const vendor = new AwsRekognition({
      now: Date.now,
      outbound: {
        call: async (call) => {
          calls.push(call)
          return { status: 200, headers: {}, body: Buffer.alloc(0), ...answer }
        },
      },
    })
    const read = () =>
      vendor.read(
        entered,
        { sessionId: 's', image: HOLDER, lapsesAtMs: 0, livenessMin: 80, matchMin: 90 },
        signal,
      )
    return { calls, read, vendor }
  }
  const error = (type: string, message = '') => Buffer.from(JSON.stringify({ __type: type, message }))

  it.each([
    [
      'a refusal without a date',
      400,
      error('InvalidSignatureException', 'Signature expired: …'),
      { what: 'clock' },
    ],
    ['an expired key', 400, error('ExpiredTokenException'), { what: 'key' }],
    ['a word that there is not', 400, error('SomethingNewException'), { what: 'other' }],
    ['a word of other signs', 400, error('<script>'), away('unreadable')],
    ['an error of its own with a page', 502, Buffer.from('<html>'), away('unreadable')],
    ['an error of its own without a word', 503, Buffer.alloc(0), away('broken')],
    ['too many requests', 429, error('Other'), away('throttled')],
    ['nothing', 200, Buffer.alloc(0), away('contradictory')],
    ['a list', 200, Buffer.from('[]'), away('contradictory')],
    ['null', 200, Buffer.from('null'), away('contradictory')],
    ['no text at all', 200, Buffer.from([0xff, 0xfe, 0x00]), away('unreadable')],
    ['depth', 200, Buffer.from('['.repeat(200_000)), away('unreadable')],
  ])('such as %s are outcomes', async (_, status, body, outcome) => {
    const { read, calls } = answering({ status, body })
    expect(await read()).toMatchObject(outcome)
    expect(calls).toHaveLength(1)
  })

  it('are asked for at AWS itself, signed, with limits, and without a key or a secret in them', async () => {
    const { read, calls } = answering({})
    await read()
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: 'https://rekognition.eu-west-1.amazonaws.com/',
      timeoutMs: 6_000,
      answerBytesMax: 524_288,
    })
    expect(calls[0]?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-west-1\/rekognition/,
    )
    expect(JSON.stringify(calls)).not.toContain(SECRET)
  })

  it('that repeat what was sent put nothing of it into an outcome', async () => {
    const told = `${SECRET} ${HOLDER.bytes.toString()} AKIAIOSFODNN7EXAMPLE`
    for (const type of ['InvalidSignatureException', 'AccessDeniedException', 'ValidationException', told]) {
      const { read, vendor } = answering({ status: 400, body: error(type, told) })
      const outcomes = JSON.stringify([await read(), await vendor.tryAccount(entered, signal)])
      expect(outcomes).not.toContain(SECRET)
      expect(outcomes).not.toContain('AKIA')
    }
  })
})
