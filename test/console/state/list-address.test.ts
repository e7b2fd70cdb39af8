import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  momentOfDay,
  readListAddress,
  withFilter,
  writeListAddress,
} from '../../../console/src/state/list-address.ts'

const KNOWN = ['q', 'state', 'from']
const read = (query: string) => readListAddress(Object.fromEntries(new URLSearchParams(query)), KNOWN)

describe('the address of a list', () => {
  it('says nothing where everything is as it begins', () => {
    expect(writeListAddress(read(''))).toBe('')
  })

  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.constantFrom(25, 50, 100),
        fc.dictionary(fc.constantFrom('q', 'state'), fc.string({ minLength: 1, unit: 'grapheme' })),
        (page, pageSize, filters) => {
          const all = { ...filters, from: '2026-11-27' }
          const address = { page, pageSize: pageSize as 25, filters: all }
          expect(read(writeListAddress(address))).toEqual(address)
        },
      ),
    )
  })

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=100001',
    'page=',
    'pageSize=30',
    'other=1',
    'from=soon',
  ])('counts %s for nothing', (query) => {
    expect(read(query)).toEqual({ page: 1, pageSize: 25, filters: {} })
  })

  it('begins at the first page when a filter changes', () => {
    const address = withFilter(read('page=7&pageSize=50&q=a'), 'state', 'done')
    expect(writeListAddress(address)).toBe('?q=a&state=done&pageSize=50')
  })
})

describe('a day', () => {
  it('begins and ends where the person is', () => {
    expect(momentOfDay('2026-11-27')).toBe(new Date(2026, 10, 27).toISOString())
    expect(momentOfDay('2026-11-27', true)).toBe(new Date(2026, 10, 28).toISOString())
  })

  it('that is none is left out', () => {
    expect(momentOfDay('soon')).toBeUndefined()
  })
})
