import { describe, expect, it } from 'vitest'
import { Registry } from '../../src/host/registry.ts'
import { accountDefinition } from './parts/account.ts'

describe('the kinds of actors', () => {
  it('are found by the prefix of an id', () => {
    const definition = accountDefinition()
    const registry = new Registry([definition])
    expect(registry.find('acc_ff00000000')).toEqual({ shard: 255, definition })
    expect(registry.find('con_ff00000000')).toBeNull()
    expect(registry.find('acc')).toBeNull()
  })

  it('have names of their own', () => {
    expect(() => new Registry([accountDefinition(), accountDefinition()])).toThrow(
      'two kinds of actors are called acc',
    )
  })
})
