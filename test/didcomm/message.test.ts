import { describe, expect, it } from 'vitest'
import { composeMessage, isType, parseMessage } from '../../src/didcomm/message.ts'
import { messagePrefixes } from '../../src/domain/message-prefix.ts'

describe('a DIDComm message', () => {
  it('is read and written with either prefix', () => {
    for (const prefix of messagePrefixes) {
      const text = composeMessage({ id: '1', prefix, type: 'trust_ping/1.0/ping' })
      expect(JSON.parse(text)).toMatchObject({ '@type': `${prefix}trust_ping/1.0/ping` })
      expect(parseMessage(text)).toMatchObject({
        id: '1',
        prefix,
        type: 'trust_ping/1.0/ping',
        threadId: '1',
      })
    }
  })

  it('belongs to its thread, or opens one', () => {
    const text = composeMessage({ id: '2', type: 'a/1.0/b', thread: { thid: '1', pthid: '0' } })
    expect(parseMessage(text)).toMatchObject({ threadId: '1', parentThreadId: '0' })
  })

  it('is of a protocol whatever its minor version, not whatever its major one', () => {
    const of = (type: string): boolean => {
      const message = parseMessage(composeMessage({ id: '1', type }))
      return message !== null && isType(message, 'didexchange/1.1', 'request')
    }
    expect([of('didexchange/1.0/request'), of('didexchange/1.2/request')]).toEqual([true, true])
    expect([
      of('didexchange/2.0/request'),
      of('didexchange/1.1/response'),
      of('connections/1.1/request'),
    ]).toEqual([false, false, false])
  })

  it('has an id and a type of a bounded length, because answers repeat them', () => {
    const of = (id: string, minor: string) =>
      parseMessage(composeMessage({ id, type: `didexchange/1.${minor}/request`, thread: { thid: id } }))
    expect(of('i'.repeat(256), '1')).not.toBeNull()
    expect(of('i'.repeat(257), '1')).toBeNull()
    // Each of them is six bytes in JSON.
    expect(of('\u0001'.repeat(43), '1')).toBeNull()
    expect(of('1', '1'.repeat(106))).not.toBeNull()
    expect(of('1', '1'.repeat(107))).toBeNull()
  })

  it('is not nested deeper than the limit', () => {
    const nested = (depth: number): string =>
      composeMessage({ id: '1', type: 'a/1.0/b' }).replace(
        /}$/,
        `,"x":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      )
    expect(parseMessage(nested(60))).not.toBeNull()
    expect(parseMessage(nested(20_000))).toBeNull()
  })

  it('is nothing else', () => {
    const texts = [
      '',
      'null',
      '[]',
      '{}',
      '{"@id":"1"}',
      '{"@id":1,"@type":"https://didcomm.org/a/1.0/b"}',
      '{"@id":"1","@type":"other:a"}',
    ]
    for (const text of texts) expect(parseMessage(text), text).toBeNull()
    expect(parseMessage(composeMessage({ id: 'x'.repeat(300), type: 'a/1.0/b' }))).toBeNull()
  })
})
