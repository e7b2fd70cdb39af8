import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRows, writeCsv } from '../../../console/src/offering/csv.ts'

const cellsOf = (text: string) => [...csvRows(text)].map(({ cells }) => cells)

describe('a table that is read', () => {
  it.each([
    ['commas', 'a,b\r\n1,2\r\n'],
    ['semicolons, as where the comma is in numbers', 'a;b\n1;2'],
    ['tabs', 'a\tb\r1\t2\r'],
    ['a mark of its encoding', '\u{FEFF}a,b\n1,2\n'],
    ['quotes', '"a","b"\r\n"1","2"'],
    ['empty lines', '\n\na,b\n,\n1,2\n\n'],
  ])('has %s', (_, text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('keeps what stands in quotes: separators, quotes and lines, and counts on as an editor does', () => {
    expect([...csvRows('a,b\n"x, ""y""\nz",2\n3,4')]).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x, "y"\nz', '2'] },
      { line: 4, cells: ['3', '4'] },
    ])
  })

  it('ends with an empty cell where a separator is last, and with the file where a quote is not closed', () => {
    expect(cellsOf('a,b\n1,')).toEqual([
      ['a', 'b'],
      ['1', ''],
    ])
    expect(cellsOf('a\n"1')).toEqual([['a'], ['1']])
    expect(cellsOf('"a" b,c\n"1"2,3')).toEqual([
      ['a b', 'c'],
      ['12', '3'],
    ])
  })
})

describe('a table that is written', () => {
  it('has no formula in it, whatever somebody called themselves', () => {
    for (const label of ['=1+1', '+49', '-2', '@SUM(A1)', '\t=1', "'=1"])
      expect(writeCsv([['x', label]])).toContain(`"'${label}"`)
    expect(writeCsv([['plain', "it's"]])).toBe('\u{FEFF}"plain","it\'s"\r\n')
  })

  it('has none behind a separator either, where a spreadsheet separates by semicolons', () => {
    const written = (label: string) => writeCsv([['x', label]])
    expect(written("x;=cmd|' /C calc'!A0;y")).toContain(`"x;'=cmd|' /C calc'!A0;y"`)
    expect(written('x; "=1')).toContain(`"x; ""'=1"`)
    expect(written('x\r\n-1')).toContain(`"x\r\n'-1"`)
    expect(written('\r=1')).toContain(`"'\r'=1"`)
    expect(written('a;b; c')).toContain('"a;b; c"')
  })

  it('is read as it was', () => {
    const cell = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('=1', "'=1", "''-", "'", '-5', '"', ';', 'a\r\nb', ';=1', "a;'=1", 'x\n"-1', '=1;"=1'),
    )
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 })
    fc.assert(
      fc.property(table, (rows) => {
        const filled = rows.map((cells) => ['x', ...cells])
        expect(cellsOf(writeCsv(filled))).toEqual(filled)
      }),
    )
  })
})
