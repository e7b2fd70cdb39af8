import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CROWDS, OTHERS } from '../../../tools/gate/known-seconds.ts'
import { inLanes, type Timed } from '../../../tools/gate/lane-order.ts'

const crowd = (file: string, seconds: number): Timed<string> => ({ file, seconds, isCrowd: true })
const other = (file: string, seconds: number): Timed<string> => ({ file, seconds, isCrowd: false })

describe('the order of the files', () => {
  it('is the longest first', () => {
    expect(inLanes([other('b', 5), other('a', 9), other('c', 1)], 1)).toEqual(['a', 'b', 'c'])
  })

  it('has one crowd at a time, and something else beside it', () => {
    const files = [other('a', 4), crowd('p', 10), crowd('q', 8), other('b', 6), other('c', 7)]
    // In the second lane c and b, and then q in the first while the second has a.
    expect(inLanes(files, 2)).toEqual(['p', 'c', 'b', 'q', 'a'])
  })

  it('lets no lane wait where there are only crowds left', () => {
    expect(inLanes([crowd('p', 10), crowd('q', 8), other('a', 1)], 2)).toEqual(['p', 'a', 'q'])
  })

  it('keeps those of which nothing is known as they came', () => {
    expect(inLanes([other('a', 2), other('b', 2), other('c', 2)], 2)).toEqual(['a', 'b', 'c'])
  })

  it('is known for files that there are', () => {
    const isThere = (path: string): boolean =>
      existsSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)))
    expect(Object.keys({ ...CROWDS, ...OTHERS }).filter((path) => !isThere(path))).toEqual([])
  })
})
