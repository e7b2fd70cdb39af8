import { expect, it } from 'vitest'
import { always, broken, causeOf, fine } from '../../../src/cli/doctor/check.ts'

it('a finding is fine, or broken with its mend', () => {
  expect(fine('a')).toEqual({ ok: true, detail: 'a' })
  expect(broken('a', 'b')).toEqual({ ok: false, detail: 'a', mend: 'b' })
  expect(always()).toBe(true)
})

it('the cause of an error fits on a line', () => {
  expect(causeOf(Object.assign(new Error('long text'), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED')
  expect(causeOf(new Error('first\nsecond'))).toBe('first')
  expect(causeOf('text')).toBe('text')
})
