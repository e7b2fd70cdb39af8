import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiAccess, plainText, postToApi } from '../../src/cli/api-access.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Answer, refusal, toldStream } from './listen/told-stream.ts'

const API_KEY = 'svc_sk_abc'

describe('the access of an organisation’s own program', () => {
  it('is what the guides call it, or what the command names', () => {
    expect(apiAccess({ API_KEY }, {})).toEqual({ url: 'http://127.0.0.1:8080', key: API_KEY })
    expect(apiAccess({ API_KEY, BASE_URL: 'https://issuer.example/' }, {}).url).toBe('https://issuer.example')
    const file = join(temporaryFolder('api-access'), 'key')
    writeFileSync(file, 'svc_sk_filed\n')
    const given = { url: 'https://other.example/below/', keyFile: file }
    expect(apiAccess({ API_KEY, BASE_URL: 'https://issuer.example' }, given)).toEqual({
      url: 'https://other.example/below',
      key: 'svc_sk_filed',
    })
  })

  it('sends no key in clear, and none of another product', () => {
    expect(() => apiAccess({ API_KEY, BASE_URL: 'http://issuer.example' }, {})).toThrow(
      'does not travel in clear',
    )
    for (const url of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])
      expect(apiAccess({ API_KEY }, { url }).url).toBe(url)
    expect(() => apiAccess({ API_KEY }, { url: 'issuer' })).toThrow('no address')
    expect(() => apiAccess({}, {})).toThrow('Set API_KEY')
    for (const key of ['sk_live_1', 'svc_wt_1', 'svc_sk_\nx'])
      expect(() => apiAccess({ API_KEY: key }, {})).toThrow('begin with svc_sk_')
  })
})

describe('an order over the public API', () => {
  it('reads no more of an answer than one can have', async () => {
    const endless: Answer = (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        response.once('drain', more)
      }
      response.once('close', () => response.removeAllListeners('drain'))
      more()
    }
    const { access } = await toldStream(endless, (response) => {
      response.statusCode = 503
      endless(response, { path: '', headers: {} })
    })
    await expect(postToApi(access, '/', {})).rejects.toThrow('is no Vouchsafe')
    await expect(postToApi(access, '/', {})).rejects.toThrow('The service answered 503.')
  })

  it('is answered, or says why not in one sentence', async () => {
    const { access, asked } = await toldStream(
      (response) => void response.end('{"id":"evt_test_1"}'),
      refusal(400, 'eventType must be one of …\u001b[2J'),
      refusal(401, 'A valid API key must be sent.'),
      refusal(404, 'There is nothing at this path.'),
      refusal(429, 'The rate of this key is 300 requests in 60 seconds; try again later.'),
      (response) => void response.writeHead(502).end('<html>'),
      (response) => void response.end('<html>'),
    )
    const post = () => postToApi(access, '/v1/events/trigger', { eventType: 'x' })
    expect(await post()).toEqual({ id: 'evt_test_1' })
    expect(asked[0]).toMatchObject({
      path: '/v1/events/trigger',
      headers: { authorization: 'Bearer svc_sk_test', 'content-type': 'application/json' },
    })
    await expect(post()).rejects.toThrow('eventType must be one of …?[2J')
    await expect(post()).rejects.toThrow('revoked')
    await expect(post()).rejects.toThrow('of an older release')
    await expect(post()).rejects.toThrow('The rate of this key')
    await expect(post()).rejects.toThrow('The service answered 502.')
    await expect(post()).rejects.toThrow('is no Vouchsafe')
    const away = { url: 'http://127.0.0.1:9', key: API_KEY }
    await expect(postToApi(away, '/', {})).rejects.toThrow('Nothing answers at http://127.0.0.1:9.')
  })

  it('shows nothing that a terminal would obey', () => {
    expect(plainText('a\u001b[1mb\nc\u202ed\u009b2J')).toBe('a?[1mb?c?d?2J')
    expect(plainText('x'.repeat(100_000))).toHaveLength(1_000)
  })
})
