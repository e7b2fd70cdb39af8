import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { asSent } from '../../../src/http/openapi/sent.ts'
import { NOT_BLANK, WELL_FORMED } from '../../../src/http/route/fields.ts'

const MALFORMED = ['\0', 'a\0b', '\ud800', 'a\udc00b']

describe('what is sent', () => {
  it('is described without NUL and half characters, wherever a text has no form of its own', () => {
    const described = asSent(
      Type.Object({
        name: Type.String({ examples: [{ type: 'string' }] }),
        list: Type.Array(Type.Union([Type.String(), Type.Null()])),
        at: Type.String({ format: 'uuid' }),
        kind: Type.Unsafe({ type: 'string', enum: ['a'] }),
        form: Type.String({ pattern: '^a$' }),
        values: Type.Record(Type.String(), Type.String()),
      }),
    )
    const text = { type: 'string', pattern: WELL_FORMED }
    expect(described).toMatchObject({
      properties: {
        name: { ...text, examples: [{ type: 'string' }] },
        list: { items: { anyOf: [text, { type: 'null' }] } },
        at: { format: 'uuid' },
        form: { pattern: '^a$' },
        values: { patternProperties: { '^.*$': text }, propertyNames: { pattern: WELL_FORMED } },
      },
    })
    for (const limited of ['"format":"uuid","pattern"', '"enum":["a"],"pattern"'])
      expect(JSON.stringify(described)).not.toContain(limited)
  })

  it('is described with what the command requires beyond the schema', () => {
    const keptByCommand = { required: ['a'], maxProperties: 2, propertyNames: { maxLength: 3 } }
    expect(asSent(Type.Record(Type.String(), Type.String(), { keptByCommand }))).toEqual({
      type: 'object',
      patternProperties: { '^.*$': { type: 'string', pattern: WELL_FORMED } },
      required: ['a'],
      maxProperties: 2,
      propertyNames: { pattern: WELL_FORMED, maxLength: 3 },
    })
  })

  it.each([WELL_FORMED, NOT_BLANK])('has the pattern %j', (pattern) => {
    for (const flags of ['u', '']) {
      for (const text of MALFORMED) expect(new RegExp(pattern, flags).test(text)).toBe(false)
      expect(new RegExp(pattern, flags).test(' Köln, 12\n')).toBe(true)
    }
    expect(new RegExp(pattern, 'u').test('\u{1f600}')).toBe(true)
  })
})
