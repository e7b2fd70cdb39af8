import { describe, expect, it } from 'vitest'
import { SandboxFaces } from '../../src/biometric/sandbox-faces.ts'
import { sandboxFacesRoute } from '../../src/http/routes/sandbox-faces.ts'
import { HOLDER } from './checks.ts'

const account = { settings: {}, credentials: {} }

const played = () => {
  let nowMs = 1_000
  let tokens = 0
  const faces = new SandboxFaces(
    () => nowMs,
    () => `token-${++tokens}`,
  )
  const wanted = { checkId: 'fck_00a', seconds: 180, image: HOLDER, deviceCorrelationId: '' }
  const read = (sessionId: string) =>
    faces.read(account, { sessionId, lapsesAtMs: 181_000, image: HOLDER, livenessMin: 80, matchMin: 90 })
  return {
    faces,
    read,
    begin: async (number = 1) => {
      const begun = await faces.begin(account, { ...wanted, number })
      if (begun.kind !== 'begun' || begun.device.vendor !== 'sandbox') throw new Error('no session was begun')
      return begun.device
    },
    pass: (ms: number) => void (nowMs += ms),
  }
}

describe('the sandbox vendor', () => {
  it('believes what the wallet says that its camera saw, once for each session', async () => {
    const { faces, begin, read } = played()
    const results = []
    for (const [index, scene] of (['holder', 'stranger', 'picture'] as const).entries()) {
      const { sessionId, token } = await begin(index)
      expect(await read(sessionId)).toEqual({ kind: 'not-yet' })
      expect(faces.capture(sessionId, 'another token', scene)).toBe(false)
      expect(faces.capture(sessionId, token, scene)).toBe(true)
      expect(faces.capture(sessionId, token, 'holder')).toBe(false)
      results.push(await read(sessionId))
    }
    expect(results).toMatchObject([
      { attempts: [{ verdict: 'passed' }] },
      { attempts: [{ verdict: 'another-person' }] },
      { attempts: [{ verdict: 'not-live', matchScore: null }] },
    ])
  })

  it('has the same session for the same number, and none once it is ended or too old', async () => {
    const { faces, begin, read, pass } = played()
    const { sessionId, token } = await begin()
    expect(await begin()).toEqual({ vendor: 'sandbox', sessionId, token })
    pass(180_000)
    expect(faces.capture(sessionId, token, 'holder')).toBe(false)
    expect(await faces.rejoin(account, sessionId)).toEqual({ kind: 'lost' })
    expect(await read(sessionId)).toEqual({ kind: 'lapsed' })
    await faces.end(account, sessionId)
    expect(await read(sessionId)).toEqual({ kind: 'lost' })
  })

  it('is told by a wallet over HTTP, with the token of the session', async () => {
    const { faces, begin } = played()
    const { sessionId, token } = await begin()
    const told = (body: string) =>
      sandboxFacesRoute(faces).raw?.handle({
        params: { sessionId },
        body: Buffer.from(body),
        head: {} as never,
      })
    expect(told('{')).toMatchObject({ problem: 'invalid_request' })
    expect(told(JSON.stringify({ token, scene: 'nobody' }))).toMatchObject({ problem: 'invalid_request' })
    expect(told(JSON.stringify({ token: 'x', scene: 'holder' }))).toMatchObject({ problem: 'not_found' })
    expect(told(JSON.stringify({ token, scene: 'holder' }))).toMatchObject({ status: 204 })
  })
})
