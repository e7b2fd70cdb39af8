import { afterAll, describe, expect, it } from 'vitest'
import { didcommRoute } from '../../../src/http/routes/didcomm.ts'
import { healthRoute } from '../../../src/http/routes/health.ts'
import { administrator, apiOnMemory } from '../../compose/api-on-memory.ts'
import { requestHead } from '../parts/request-head.ts'

const api = await apiOnMemory()
afterAll(() => api.close())

describe('routes that ask nobody who they are', () => {
  it('are those of wallets, of the ledger’s files, of signing in and of the sandbox', () => {
    const open = api.routes.filter(({ access }) => access.callers.includes('nobody')).map(({ path }) => path)
    const allowed = /^\/(didcomm|i|ledger|sandbox|v1\/sessions|v1\/enrolments)(\/|$)/
    expect(open.filter((path) => !allowed.test(path))).toEqual([])
  })

  it('serve the files that the ledger’s configuration names, as plain text that never changes', async () => {
    const { json } = await api.send('GET', '/v1/ledger', { as: administrator('ten_1') })
    const { url, signatureUrl, ...rest } = json['genesis'] as Record<string, string>
    expect(rest).toEqual({ sha256: 'x', signingPublicKey: 'k' })
    for (const [address = '', text] of [
      [url, 'g'],
      [signatureUrl, 's'],
    ])
      expect(await api.send('GET', new URL(address).pathname)).toMatchObject({
        status: 200,
        text,
        headers: {
          'Content-Type': 'text/plain; charset=utf-8',
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
      })
  })

  it('know no invitation that was not made here, whatever its address says', async () => {
    for (const path of ['/i/inv_00aaaaaaaa?oob=x', '/i/con_00aaaaaaaa', '/i/x'])
      expect(await api.send('GET', path)).toMatchObject({ status: 404, json: { error: 'not_found' } })
  })

  it('take envelopes of wallets under both content types, and refuse what cannot be read here', async () => {
    const post = async (type: string, body = '{"protected":"x"}') =>
      (await api.send('POST', '/didcomm/con_1', { body, headers: { 'content-type': type } })).status
    expect(await post('application/didcomm-envelope-enc')).toBe(202)
    expect(await post('application/ssi-agent-wire; charset=utf-8')).toBe(202)
    expect(await post('application/ssi-agent-wire', 'no envelope')).toBe(400)
    expect(await post('application/json')).toBe(415)
  })

  it('send a wallet away for a time where too many come', async () => {
    const head = requestHead(
      { 'content-type': 'application/ssi-agent-wire' },
      { method: 'POST', path: '/didcomm/inv_1' },
    )
    const tooMany = didcommRoute(
      { receive: async () => ({ retryAfterMs: 1_500 }), isKnown: async () => false },
      () => '192.0.2.1',
      { take: () => null },
    )
    const answer = await api.doorOf([tooMany]).accept(head).respond(Buffer.from('{}'))
    expect(answer).toMatchObject({ status: 429, headers: { 'Retry-After': '2' } })
  })

  it('say that the service is degraded, and nothing else', async () => {
    const head = requestHead({}, { path: '/v1/health' })
    const answer = await api
      .doorOf([healthRoute(() => false)])
      .accept(head)
      .respond(Buffer.alloc(0))
    expect([answer.status, String(answer.body)]).toEqual([503, '{"status":"degraded"}'])
  })
})
