import { expect, it } from 'vitest'
import { chain } from '../../src/domain/eventually.ts'

it('what follows a value follows at once, and what follows a promise then', async () => {
  expect(chain(1, (one) => one + 1)).toBe(2)
  await expect(chain(Promise.resolve(1), (one) => one + 1)).resolves.toBe(2)
  await expect(chain(Promise.reject(new Error('away')), () => 2)).rejects.toThrow('away')
})
