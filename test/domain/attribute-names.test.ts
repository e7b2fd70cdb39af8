import { describe, expect, it } from 'vitest'
import { holdsPersonalData } from '../../src/domain/attribute-names.ts'

describe('the name of an attribute', () => {
  it.each([
    'name',
    'email',
    'birthdate',
    'expiresAt',
    'line 2 of 10',
    'iso19794',
    'Größe',
    'score_12345',
    'line_1_of_2',
  ])('may be %s', (name) => expect(holdsPersonalData(name)).toBe(false))

  it.each([
    'ann@example.org',
    'email of ann.b+c@mail.example.org',
    '+49 30 123456',
    'phone (030) 12-34-56',
    'born 1999-12-31',
    'id 123456',
    'no. ١٢٣٤٥٦',
    '030/12.34.5',
    'born_1999_12_31',
    '030\u201312\u201134\u22125',
  ])('must not be %s', (name) => expect(holdsPersonalData(name)).toBe(true))
})
