import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LayoutReader, LayoutWriter } from '../../../../src/persistence/sqlite/slot-file/row-layout.ts'

const readAll = (bytes: Uint8Array): readonly number[] => {
  const reader = new LayoutReader(bytes)
  const numbers: number[] = []
  while (!reader.atEnd) numbers.push(reader.next())
  return numbers
}

describe('the layout of a row', () => {
  it('gives back every whole number', () => {
    const writer = new LayoutWriter()
    const borders = [0, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32, Number.MAX_SAFE_INTEGER]
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.maxSafeNat(), fc.constantFrom(...borders))), (numbers) => {
        writer.begin()
        for (const number of numbers) writer.add(number)
        expect(readAll(writer.take())).toEqual(numbers)
      }),
    )
  })

  it('takes a byte for a small number, and grows as it must', () => {
    const writer = new LayoutWriter()
    const numbers = Array.from({ length: 10_000 }, (_, index) => index % 128)
    for (const number of numbers) writer.add(number)
    const layout = writer.take()
    expect(layout).toHaveLength(10_000)
    expect(readAll(layout)).toEqual(numbers)
  })

  it('drops what was left unfinished when it is begun', () => {
    const writer = new LayoutWriter()
    writer.add(7)
    writer.begin()
    writer.add(300)
    expect(readAll(writer.take())).toEqual([300])
  })

  it('that was cut off is refused', () => {
    expect(() => readAll(Buffer.from([0x80]))).toThrow('ends too early')
  })
})
