import { describe, expect, it } from 'vitest'
import { attachmentOf, fieldsWithAttachment } from '../../src/didcomm/message.ts'

describe('an attachment of a format', () => {
  it('comes out as it went in', () => {
    const body = fieldsWithAttachment('offers~attach', 'anoncreds/credential-offer@v1.0', '{"a":["ö"]}')
    expect(attachmentOf(body, 'offers~attach', 'anoncreds/credential-offer@v1.0')).toEqual({ a: ['ö'] })
  })

  it('is found by its format, as base64url or as JSON', () => {
    const formats = [
      { attach_id: 'x', format: 'other' },
      { attach_id: 'y', format: 'f' },
      { attach_id: 'z', format: 'g' },
    ]
    const attachments = [
      { '@id': 'y', data: { base64: Buffer.from('{"n":"?>"}').toString('base64url') } },
      { '@id': 'z', data: { json: { n: 2 } } },
    ]
    expect(attachmentOf({ formats, list: attachments }, 'list', 'f')).toEqual({ n: '?>' })
    expect(attachmentOf({ formats, list: attachments }, 'list', 'g')).toEqual({ n: 2 })
  })

  it('is not read when it holds more than a message may', () => {
    const attached = (count: number) => {
      const content = Array.from({ length: count }, () => [])
      return attachmentOf(fieldsWithAttachment('list', 'f', JSON.stringify(content)), 'list', 'f')
    }
    expect(attached(20_000)).toHaveLength(20_000)
    expect(attached(100_000)).toBeNull()
  })

  it('is null when it is missing or broken', () => {
    const formats = [{ attach_id: 'y', format: 'f' }]
    for (const list of [
      undefined,
      5,
      [],
      [null],
      [{ '@id': 'y' }],
      [{ '@id': 'y', data: { base64: 'x' } }],
    ]) {
      expect(attachmentOf({ formats, list }, 'list', 'f')).toBeNull()
    }
    expect(attachmentOf({}, 'list', 'f')).toBeNull()
  })
})
