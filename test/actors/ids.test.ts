import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { shardOf } from '../../src/domain/shards.ts'
import { definitionIdOf, newRecordId, recordIdBeside, schemaIdOf } from '../../src/actors/ids.ts'

const runtime = createRuntime()

describe('ids of records', () => {
  it('are new each time and spread over the shards', () => {
    const ids = Array.from({ length: 500 }, () => newRecordId('ten', runtime))
    expect(new Set(ids).size).toBe(500)
    expect(new Set(ids.map(shardOf)).size).toBeGreaterThan(150)
    expect(shardOf(recordIdBeside('cre', 9, runtime))).toBe(9)
  })

  it('of what has a name on the ledger follow from tenant and name', () => {
    const name = { did: 'D', schemaSeqNo: 7, tag: 'x' }
    expect(schemaIdOf('t1', 'a', '1.0')).toBe(schemaIdOf('t1', 'a', '1.0'))
    expect(schemaIdOf('t1', 'a', '1.0')).not.toBe(schemaIdOf('t2', 'a', '1.0'))
    expect(definitionIdOf('t1', name)).toMatch(/^def_[0-9a-f]{34}$/)
    expect(definitionIdOf('t1', name)).not.toBe(definitionIdOf('t1', { ...name, tag: 'y' }))
  })
})
