import { expect, it } from 'vitest'
import { chain } from '../../src/domain/eventually.ts'

it('goes on at once with a value that is there, and later with one that is promised', async () => {
  expect(chain(1, (one) => one + 1)).toBe(2)
  await expect(chain(Promise.resolve(1), (one) => one + 1)).resolves.toBe(2)
  await expect(chain(Promise.reject(new Error('away')), () => 2)).rejects.toThrow('away')
})
