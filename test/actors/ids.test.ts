import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { tenant } from '../../src/actors/tenant/rules.ts'
import { credentialDefinition } from '../../src/actors/credential-definition/rules.ts'
import { schema } from '../../src/actors/schema/rules.ts'
import { shardOf } from '../../src/domain/references.ts'
import { newExchangeId } from '../../src/actors/connection/for-exchanges.ts'
import { credential } from '../../src/actors/credential/rules.ts'
import { newRef, refOfNames } from '../../src/actors/ids.ts'

const runtime = createRuntime()

describe('ids of records', () => {
  it('are new each time and spread over the shards', () => {
    const ids = Array.from({ length: 500 }, () => newRef(tenant, runtime))
    expect(new Set(ids).size).toBe(500)
    expect(new Set(ids.map(shardOf)).size).toBeGreaterThan(150)
    expect(shardOf(newExchangeId(credential, 'con_09aaaaaaaa', runtime))).toBe(9)
  })

  it('of what has a name on the ledger follow from tenant and name', () => {
    const names = ['t1', 'D', 7, 'x']
    expect(refOfNames(schema, ['t1', 'a', '1.0'])).toBe(refOfNames(schema, ['t1', 'a', '1.0']))
    expect(refOfNames(schema, ['t1', 'a', '1.0'])).not.toBe(refOfNames(schema, ['t2', 'a', '1.0']))
    expect(refOfNames(credentialDefinition, names)).toMatch(/^def_[0-9a-f]{34}$/)
    expect(refOfNames(credentialDefinition, names)).not.toBe(
      refOfNames(credentialDefinition, ['t1', 'D', 7, 'y']),
    )
  })
})
