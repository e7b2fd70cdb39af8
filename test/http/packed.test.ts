import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pack, packedReply } from '../../src/http/packed.ts'

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
      expect(headers).toEqual({ 'Content-Type': 'text/plain', Vary: 'Accept-Encoding' })
      expect(Buffer.from(body as Uint8Array).toString()).toBe('text')
    },
  )
})
