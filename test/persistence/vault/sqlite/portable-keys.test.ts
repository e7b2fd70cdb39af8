import { describe, expect, it } from 'vitest'
import { fromPortable, toPortable } from '../../../../src/persistence/vault/sqlite/portable-keys.ts'

describe('portable keys', () => {
  it('keep every byte through a structured clone', () => {
    const wrapped = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const row = { tenant: 'ten_1', master: 'm1', wrapped }
    expect(fromPortable(structuredClone(toPortable(row)))).toEqual(row)
  })
})
