import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { personalFieldProblem, split } from '../../src/host/codec.ts'

describe('personal fields', () => {
  it('are taken out without touching the value they come from', () => {
    const value = { id: 1, name: 'Alice', note: null }
    expect(split(value, ['name', 'note', 'missing'])).toEqual({
      clear: { id: 1, name: null, note: null },
      secret: { name: 'Alice' },
    })
    expect(value.name).toBe('Alice')
  })

  it('leave a value without any as it is', () => {
    const value = { id: 1, name: null }
    const { clear, secret } = split(value, ['name'])
    expect(clear).toBe(value)
    expect(secret).toBeNull()
  })

  it('must be in the schema and admit null there, in every member of a union that has them', () => {
    const nullable = Type.Object({ name: Type.Union([Type.String(), Type.Null()]) })
    const strict = Type.Object({ name: Type.String() })
    expect(personalFieldProblem(nullable, 'name')).toBeNull()
    expect(personalFieldProblem(strict, 'name')).toContain('must admit null')
    expect(personalFieldProblem(Type.Union([nullable, strict]), 'name')).toContain('must admit null')
    expect(personalFieldProblem(Type.Union([nullable, Type.Object({})]), 'name')).toBeNull()
    expect(personalFieldProblem(nullable, 'other')).toContain('no field other')
  })
})
