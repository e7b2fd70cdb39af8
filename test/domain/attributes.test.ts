import { describe, expect, it } from 'vitest'
import { attributeProblem } from '../../src/domain/attributes.ts'

const NOW_MS = 1_800_000_000_500
const expiresAt = '1900000000'

/** Checked against a schema of the same names, unless told otherwise. */
const problem = (attributes: Record<string, string>, schemaAttributes = Object.keys(attributes)) =>
  attributeProblem({ attributes, schemaAttributes, nowMs: NOW_MS })

const codeOf = (...args: Parameters<typeof problem>): string | null => problem(...args)?.code ?? null

const numbered = (count: number, value = ''): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`a${String(index).padStart(3, '0')}`, value]),
  )

describe('the attributes of an offer', () => {
  it('may be as many as 125', () => {
    expect(codeOf({ ...numbered(124), expiresAt })).toBeNull()
    expect(codeOf({ ...numbered(125), expiresAt })).toBe('attributes_too_many')
  })

  it('may have names of 100 characters, whatever the characters', () => {
    for (const character of ['n', 'é', '\u{1f600}']) {
      expect(codeOf({ [character.repeat(100)]: 'x', expiresAt })).toBeNull()
      expect(codeOf({ [character.repeat(101)]: 'x', expiresAt })).toBe('attribute_name_too_long')
    }
  })

  it('may have values of 4,096 bytes in UTF-8', () => {
    for (const [character, bytes] of [
      ['n', 1],
      ['é', 2],
      ['€', 3],
      ['\u{1f600}', 4],
    ] as const) {
      const full = character.repeat(4_096 / bytes) || ''
      const fitting = full + 'x'.repeat(4_096 - Buffer.byteLength(full))
      expect(Buffer.byteLength(fitting)).toBe(4_096)
      expect(codeOf({ note: fitting, expiresAt })).toBeNull()
      expect(codeOf({ note: `${fitting}x`, expiresAt })).toBe('attribute_value_too_large')
    }
    expect(codeOf({ note: '\ud800'.repeat(1_366), expiresAt })).toBe('attribute_value_too_large')
  })

  it('may have 65,536 bytes of names and values together', () => {
    const own = 'expiresAt'.length + expiresAt.length
    const rows = numbered(15, 'x'.repeat(4_092))
    const rest = 65_536 - own - 15 * 4_096 - 'last'.length
    expect(codeOf({ ...rows, expiresAt, last: 'x'.repeat(rest) })).toBeNull()
    expect(codeOf({ ...rows, expiresAt, last: 'x'.repeat(rest + 1) })).toBe('attributes_too_large')
  })

  it('must be texts, also those whose names the schema of the body passes over', () => {
    const attributes = { 'end\nof a line': 5 as unknown as string, expiresAt }
    expect(problem(attributes)).toEqual({
      code: 'invalid_request',
      reason: String.raw`attributes: the value of "end\nof a line" must be a string.`,
    })
  })

  it('must be texts that can be signed', () => {
    for (const text of ['A\0B', '\0', '\ud800', 'x\udc00']) {
      for (const attributes of [{ note: text }, { [text]: 'x' }]) {
        const found = problem({ ...attributes, expiresAt })
        expect(found?.code).toBe('invalid_request')
        expect(found?.reason).toMatch(/^attributes: /)
      }
    }
    expect(codeOf({ note: '\u0001 \ufffd \u{1f600}', expiresAt })).toBeNull()
  })

  it('must be read in one way by all wallets', () => {
    for (const text of ['+5', '+0', '+19901210']) {
      const found = problem({ height: text, expiresAt })
      expect(found?.code).toBe('invalid_request')
      expect(found?.reason).toMatch(/^attributes: the value of "height" /)
      expect(found?.reason).not.toContain(text)
    }
    expect(codeOf({ phone: '+4930123456789', note: '+ 5', expiresAt })).toBeNull()
  })

  it('must be those of the schema', () => {
    const schema = ['name', 'birth', 'expiresAt']
    expect(codeOf({ name: 'Alice', birth: '19800101', expiresAt }, schema)).toBeNull()
    expect(codeOf({ birth: '19800101', name: 'Alice', expiresAt }, schema.toReversed())).toBeNull()
    expect(problem({ name: 'Alice', expiresAt }, schema)).toEqual({
      code: 'attributes_mismatch',
      reason: 'The attributes differ from the schema (missing: "birth").',
    })
    expect(problem({ name: 'Alice', birth: '1', Birth: '2', expiresAt }, schema)?.reason).toBe(
      'The attributes differ from the schema (not in the schema: "Birth").',
    )
    expect(problem({ name: 'Alice', toString: '1', expiresAt }, schema)?.reason).toBe(
      'The attributes differ from the schema (missing: "birth"; not in the schema: "toString").',
    )
    expect(codeOf({ name: 'Alice', expiresAt }, ['name', 'toString', 'expiresAt'])).toBe(
      'attributes_mismatch',
    )
  })

  it('must say when the credential ends', () => {
    expect(codeOf({ name: 'Alice' })).toBe('expires_at_required')
    expect(codeOf({ name: 'Alice' }, ['name', 'expiresAt'])).toBe('expires_at_required')
    expect(codeOf({ name: 'Alice', expiresAt }, ['name'])).toBe('attributes_mismatch')
  })

  it('must end in the future, within 32 bits, in plain digits', () => {
    const expiring = (text: string) => codeOf({ expiresAt: text })
    expect(expiring('1800000001')).toBeNull()
    expect(expiring('1800000000')).toBe('expires_at_invalid')
    expect(expiring('2147483647')).toBeNull()
    expect(expiring('2147483648')).toBe('expires_at_invalid')
    for (const text of [
      '',
      '0',
      '-1',
      '01900000000',
      '+1900000000',
      '1900000000.0',
      ' 1900000000',
      '1.9e9',
      '2030-01-01',
      '1900000000000',
    ])
      expect(expiring(text)).toBe('expires_at_invalid')
  })

  it('never appear with their values in a reason, and a reason stays short', () => {
    const secret = 'very-secret'
    const cases = [
      { note: secret.repeat(400), expiresAt },
      { note: secret },
      { note: secret, expiresAt: secret },
      { ['n'.repeat(200_000)]: secret, expiresAt },
    ]
    for (const attributes of cases) {
      const { reason } = problem(attributes) ?? { reason: '' }
      expect(reason).not.toBe('')
      expect(reason).not.toContain(secret)
      expect(reason.length).toBeLessThan(300)
    }
    const many = problem(numbered(100), [...Object.keys(numbered(100)), 'expiresAt'])
    expect(many?.code).toBe('expires_at_required')
    const differing = problem({ ...numbered(100), expiresAt }, ['expiresAt'])
    expect(differing?.reason).toContain('"a009" and 90 more')
  })
})
