import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pack, packedReply } from '../../../src/http/front-door/compressed-reply.ts'

const made = pack('text', { 'Content-Type': 'text/plain' })
const reply = (encodings: string | null) =>
  packedReply(made, { headers: new Map(encodings === null ? [] : [['accept-encoding', encodings]]) })

describe('a text that is packed once', () => {
  it.each(['gzip', 'br, gzip', 'gzip;q=0.5', 'deflate,GZIP , br', 'gzip; q=1'])(
    'is sent packed for %s',
    (encodings) => {
      const { headers, body } = reply(encodings)
      expect(headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
      expect(gunzipSync(Buffer.from(body as Uint8Array)).toString()).toBe('text')
    },
  )

  it.each([null, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br', 'x-gzipped', 'gzipped'])(
    'is sent as it is for %s',
    (encodings) => {
      const { headers, body } = reply(encodings)
      const ETag = expect.any(String) as string
      expect(headers).toEqual({ 'Content-Type': 'text/plain', Vary: 'Accept-Encoding', ETag })
      expect(Buffer.from(body as Uint8Array).toString()).toBe('text')
    },
  )

  it('is not sent again to whoever has it, in the form that they take', () => {
    const again = (encoding: string, tag: string) =>
      packedReply(made, {
        headers: new Map([
          ['accept-encoding', encoding],
          ['if-none-match', tag],
        ]),
      })
    const [plain = '', packed = ''] = [reply('identity'), reply('gzip')].map(({ headers }) =>
      String(headers['ETag']),
    )
    expect(plain).toMatch(/^"[\w-]{22}"$/)
    expect(packed).not.toBe(plain)
    for (const tag of [packed, `W/${packed}`, `"x", ${packed}`, '*']) {
      const { status, headers, body } = again('gzip', tag)
      expect([status, headers['ETag'], headers['Vary'], body.length]).toEqual([
        304,
        packed,
        'Accept-Encoding',
        0,
      ])
      expect(headers['Content-Encoding']).toBeUndefined()
    }
    expect(again('identity', plain).status).toBe(304)
    for (const tag of [plain, '', '"x"', packed.slice(1)]) expect(again('gzip', tag).status).toBe(200)
  })

  it('has another name when it says something else', () => {
    const other = packedReply(pack('another text', {}), { headers: new Map() })
    expect(other.headers['ETag']).not.toBe(reply(null).headers['ETag'])
  })
})
