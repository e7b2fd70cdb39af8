import { expect, it } from 'vitest'
import { compileRoute } from '../../../src/http/route/compiled-route.ts'
import { healthRoute } from '../../../src/http/routes/health.ts'

it('health is ok with 200 and degraded with 503, and nothing else is said', async () => {
  let healthy = true
  const { run } = compileRoute(healthRoute(() => healthy))
  const ask = async () => {
    const head = {
      id: '',
      method: 'GET',
      path: '',
      query: '',
      headers: new Map<string, string>(),
      remoteAddress: '',
    }
    const { status, body } = await run({
      head,
      caller: { kind: 'nobody' },
      params: {},
      body: new Uint8Array(),
    })
    return [status, body]
  }
  expect(await ask()).toEqual([200, '{"status":"ok"}'])
  healthy = false
  expect(await ask()).toEqual([503, '{"status":"degraded"}'])
})
