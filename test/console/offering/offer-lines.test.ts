import { describe, expect, it } from 'vitest'
import { csvRows } from '../../../console/src/offering/csv.ts'
import { LINES_MAX, LinesReader, type ReadLines } from '../../../console/src/offering/offer-lines.ts'

const NOW_MS = Date.parse('2026-11-27T12:00:00Z')
const asked = { definitionId: 'def_1', names: ['name', 'age'], lastDay: '2030-03-17', nowMs: NOW_MS }
const read = (text: string, own: Partial<typeof asked> = {}): ReadLines => {
  const reader = new LinesReader({ ...asked, ...own })
  for (const row of csvRows(text)) reader.take(row)
  return reader.read
}

describe('a table of offers', () => {
  it('is an offer for each line', () => {
    const { offers, faults, ignored } = read(
      'wallet,connectionId,age,name,externalId,expiresAt\nPhone,con_1,36,Ada,order-1,1900000000\n,con_2,41,Grace,,2031-01-01\n,con_3,7,Joan,,\n',
    )
    expect(faults).toEqual([])
    expect(ignored).toEqual(['wallet'])
    expect(offers.map(({ line }) => line)).toEqual([2, 3, 4])
    const [first, second, third] = offers.map(({ offer }) => offer)
    expect(first).toEqual({
      connectionId: 'con_1',
      credentialDefinitionId: 'def_1',
      attributes: { name: 'Ada', age: '36', expiresAt: '1900000000' },
      externalId: 'order-1',
    })
    const end = (year: number, month: number, day: number): string =>
      String(new Date(year, month - 1, day + 1).getTime() / 1_000 - 1)
    expect(second?.attributes['expiresAt']).toBe(end(2031, 1, 1))
    expect(third?.attributes['expiresAt']).toBe(end(2030, 3, 17))
    expect(third).not.toHaveProperty('externalId')
  })

  it('says of each line what is wrong with it, and keeps the others', () => {
    const { offers, faults } = read(
      [
        'connectionId,name,age,externalId,expiresAt',
        'con_1,Ada,36,,',
        'cre_1,Ada,36,,',
        'con_1,Ada,36,,2020-01-01',
        'con_1,Ada,36,,soon',
        `con_1,Ada,36,${'x'.repeat(201)},`,
        `con_1,${'ü'.repeat(2_049)},36,,`,
        'con_1,Ada,36,,,more',
        'con_1,A\u{FFFD}da,36,,',
        'con_1,Ada,36,,',
      ].join('\n'),
    )
    expect(offers).toHaveLength(1)
    expect(faults.map(({ line, text }) => `${line} ${text.split(' ').slice(0, 3).join(' ')}`)).toEqual([
      '3 connectionId is not',
      '4 expiresAt is not',
      '5 expiresAt is not',
      '6 externalId is longer',
      '7 name is longer',
      '8 It has more',
      '9 Some letters cannot',
      '10 It is the',
    ])
  })

  it('offers nothing where its first line is wrong, and says what is missing', () => {
    const faultIn = (text: string): string =>
      read(text)
        .faults.map(({ text: said }) => said)
        .join()
    expect(faultIn('connectionId,name\ncon_1,Ada')).toContain('no column age')
    expect(faultIn('connectionId,name,age,age\ncon_1,Ada,1,2')).toContain('age twice')
    expect(faultIn('connectionId,name,age\n')).toContain('nothing in the table')
    expect(faultIn('')).toContain('no column connectionId, name, age')
  })

  it('has as many lines as it may, or is read not at all', () => {
    const many = Array.from({ length: LINES_MAX + 1 }, (_, index) => `con_${index},Ada,36`)
    const table = (lines: readonly string[]): string => ['connectionId,name,age', ...lines].join('\n')
    expect(read(table(many.slice(1)))).toMatchObject({ offers: { length: LINES_MAX }, faults: [] })
    const tooMany = read(table(many))
    expect(tooMany.offers).toEqual([])
    expect(tooMany.faults).toMatchObject([
      { line: 1, text: expect.stringContaining('100,001 lines') as string },
    ])
  })

  it('wants a day from somewhere', () => {
    expect(read('connectionId,name,age\ncon_1,Ada,36', { lastDay: '' }).faults).toHaveLength(1)
  })
})
