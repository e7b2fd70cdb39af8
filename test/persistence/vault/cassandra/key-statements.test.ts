import { describe, expect, it } from 'vitest'
import { keySchema, keyStatements } from '../../../../src/persistence/vault/cassandra/key-statements.ts'

describe('CQL of the key store', () => {
  it('names the keyspace everywhere and has no other word from outside', () => {
    for (const statement of Object.values(keyStatements('some_keys')))
      expect(statement).toContain(' some_keys.')
    for (const statement of keySchema('some_keys', "{'class': 'X'}")) expect(statement).toContain('some_keys')
  })

  it('refuses a name that is no keyspace', () => {
    for (const name of ['', 'a b', 'a;drop', 'A', '1a', 'a'.repeat(49)]) {
      expect(() => keyStatements(name)).toThrow(RangeError)
      expect(() => keySchema(name, '{}')).toThrow(RangeError)
    }
  })
})
