import { describe, expect, it } from 'vitest'
import { refusal } from '../../../src/http/route/refusal.ts'

describe('a refusal of the rules', () => {
  it('goes out under its code, when the route documents it', () => {
    const refused = { refused: 'not_found', reason: 'No.' } as const
    expect(refusal(['not_found'], refused)).toMatchObject({ problem: 'not_found', reason: 'No.' })
    expect(() => refusal(['forbidden'], refused)).toThrow('does not document not_found')
  })
})
