import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodiesInUse, BodyFile, CELL_BYTES } from '../../../src/persistence/sqlite/body-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const newPath = (): string => join(temporaryFolder('body-file'), 'bodies')
/** What the file holds beside its own first cell and zeros. */
const isEmpty = (path: string): boolean =>
  readFileSync(path)
    .subarray(CELL_BYTES)
    .every((byte) => byte === 0)

describe('the file of bodies', () => {
  it('keeps texts of every length, through closing and opening', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 3 }), (lengths, every) => {
        const path = newPath()
        const textOf = (length: number, index: number) => String(index % 10).repeat(length)
        using first = BodyFile.open(path)
        for (const [index, length] of lengths.entries()) first.put(`b${index}`, textOf(length, index), 7)
        for (const index of lengths.keys()) if (index % every === 0) first.delete(`b${index}`)
        for (const [index, length] of lengths.entries())
          if (index % every === 0) first.put(`again${index}`, textOf(length, index), 8)
        first.sync()
        using second = BodyFile.open(path)
        for (const file of [first, second])
          for (const [index, length] of lengths.entries()) {
            const name = index % every === 0 ? `again${index}` : `b${index}`
            expect(file.get(name)).toBe(textOf(length, index))
          }
        expect(new Map(second.list())).toEqual(new Map(first.list()))
        for (const [name] of second.list()) second.delete(name)
        second.sync()
        expect(isEmpty(path)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('can be measured while it is written', () => {
    const path = newPath()
    expect(bodiesInUse(path)).toEqual({ rows: 0, bytes: 0 })
    using file = BodyFile.open(path)
    file.put('short', 'S', 7)
    file.put('long', 'L'.repeat(CELL_BYTES), 7)
    file.put('gone', 'G', 7)
    file.delete('gone')
    file.sync()
    expect(bodiesInUse(path)).toEqual({ rows: 2, bytes: 3 * CELL_BYTES })
  })

  it('takes what was cut off in the middle for no body, and overwrites it when it is opened', () => {
    const path = newPath()
    using file = BodyFile.open(path)
    file.put('whole', 'WHOLE', 7)
    file.put('torn', 'TORN'.repeat(3_000), 7)
    file.sync()
    // A crash came before the last of its cells was written.
    const written = readFileSync(path)
    const last = written.length - CELL_BYTES
    writeFileSync(path, written.fill(0, last))
    using opened = BodyFile.open(path)
    expect(opened.list()).toEqual([['whole', 7]])
    expect(readFileSync(path, 'latin1')).not.toContain('TORN')
  })

  it('overwrites what no body can have written', () => {
    const path = newPath()
    BodyFile.open(path)[Symbol.dispose]()
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(CELL_BYTES + 100, 0x58), 0, CELL_BYTES + 100, CELL_BYTES)
    closeSync(file)
    using opened = BodyFile.open(path)
    expect(opened.list()).toEqual([])
    expect(isEmpty(path)).toBe(true)
  })

  it('uses cells again, and gives the space back after a rush', () => {
    const path = newPath()
    using file = BodyFile.open(path)
    const names = Array.from({ length: 3_000 }, (_, index) => `body-${index}`)
    for (const name of names) file.put(name, name, 7)
    file.sync()
    const full = statSync(path).size
    for (const name of names) file.delete(name)
    for (const name of names) file.put(name, name, 7)
    file.sync()
    expect(statSync(path).size).toBe(full)
    for (const name of names.slice(10)) file.delete(name)
    file.sync()
    expect(statSync(path).size).toBeLessThan(full / 2)
    expect(file.get('body-9')).toBe('body-9')
    file.put('more', 'more'.repeat(2_000_000), 7)
    expect(file.get('more')).toBe('more'.repeat(2_000_000))
  })

  it('of another release is left as it is', () => {
    const path = newPath()
    const other = Buffer.alloc(CELL_BYTES, 'vouchsafe bodies 2')
    writeFileSync(path, other)
    expect(() => BodyFile.open(path)).toThrow('start the release that wrote it')
    expect(readFileSync(path).equals(other)).toBe(true)
  })
})
