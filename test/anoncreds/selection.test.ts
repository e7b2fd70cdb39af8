import { describe, expect, it } from 'vitest'
import type { CredentialInput } from '../../src/ports/anoncreds.ts'
import { type Engine, EngineFailure, type FailureKind } from '../../src/anoncreds/engine.ts'
import { Disagreement, EngineSelection } from '../../src/anoncreds/selection.ts'
import { inputOf, readFixture } from './verifier-fixtures.ts'

/** Engines that answer what the case says: agreement and failures of real ones cannot be had at will. */
const engine = (name: Engine['name'], answer: boolean | FailureKind): Engine => {
  const give = <Value>(value: Value): Value => {
    if (typeof answer === 'string') throw new EngineFailure(answer, 'as the case says', name)
    return value
  }
  return {
    name,
    createCredential: () => give(`credential of ${name}`),
    verifyPresentation: () => give(answer === true),
  }
}

const engines = (native: boolean | FailureKind | null, library: boolean | FailureKind = true) => ({
  native: native === null ? null : engine('native', native),
  library: engine('library', library),
})

const honest = inputOf(readFixture('honest'))
const credentialInput: CredentialInput = {
  credentialDefinition: '{}',
  credentialDefinitionPrivate: '{}',
  offer: '{"cred_def_id":"d"}',
  request: '{"cred_def_id":"d","entropy":"e","blinded_ms":{"hidden_attributes":["master_secret"]}}',
  values: { name: 'Ann' },
}

describe('the selection of an engine', () => {
  it('takes the own one where it loads', () => {
    const selection = new EngineSelection('auto', engines(true))
    expect(selection.verifyPresentation(honest)).toEqual({ value: true, engine: 'native' })
    expect(selection.createCredential(credentialInput)).toEqual({
      value: 'credential of native',
      engine: 'native',
    })
  })

  it.each<['not-understood' | 'fault']>([['not-understood'], ['fault']])(
    'falls back to the library after: %s',
    (kind) => {
      const selection = new EngineSelection('auto', engines(kind))
      expect(selection.verifyPresentation(honest)).toEqual({ value: true, engine: 'library', fallback: kind })
    },
  )

  it('lets the library sign what the own one does not understand, and nothing after a fault', () => {
    const sign = (kind: FailureKind) =>
      new EngineSelection('auto', engines(kind)).createCredential(credentialInput)
    expect(sign('not-understood')).toMatchObject({ engine: 'library', fallback: 'not-understood' })
    expect(() => sign('fault')).toThrow(expect.objectContaining({ kind: 'fault' }))
  })

  it.each(['auto', 'native', 'library', 'compare'] as const)('checks before "%s" signs', (choice) => {
    const selection = new EngineSelection(choice, engines(true))
    const wrong = { ...credentialInput, values: { name: 'A\0B' } }
    expect(() => selection.createCredential(wrong)).toThrow(expect.objectContaining({ kind: 'refused' }))
  })

  it('falls back to the library where the own one does not load', () => {
    const outcome = new EngineSelection('auto', engines(null)).verifyPresentation(honest)
    expect(outcome).toEqual({ value: true, engine: 'library', fallback: 'not-loaded' })
  })

  it('never asks the library about what the own engine refused', () => {
    const selection = new EngineSelection('auto', engines('refused'))
    expect(selection.verifyPresentation(honest)).toEqual({ value: false, engine: 'native' })
    expect(() => selection.createCredential(credentialInput)).toThrow(EngineFailure)
  })

  it('does not fall back where the own engine alone is configured', () => {
    expect(() => new EngineSelection('native', engines('not-understood')).verifyPresentation(honest)).toThrow(
      EngineFailure,
    )
  })

  it.each<['native' | 'compare']>([['native'], ['compare']])('"%s" needs the own engine', (choice) => {
    expect(() => new EngineSelection(choice, engines(null))).toThrow('does not load')
  })

  it('checks strictly before the library too', () => {
    for (const choice of ['library', 'auto', 'compare'] as const) {
      const selection = new EngineSelection(choice, engines(true, true))
      for (const name of ['never-issued', 'false-predicate'] as const) {
        expect(selection.verifyPresentation(inputOf(readFixture(name)))).toEqual({
          value: false,
          engine: 'checks',
        })
      }
    }
  })

  it.each(['[', '{"a":'])('refuses a presentation of thousands of: %s', (open) => {
    const selection = new EngineSelection('library', engines(true))
    const [closing, middle] = open === '[' ? [']', ''] : ['}', '1']
    for (const depth of [100, 20_000]) {
      const deep = `${open.repeat(depth)}${middle}${closing.repeat(depth)}`
      const presentation = honest.presentation.replace(/}$/, `,"x":${deep}}`)
      expect(selection.verifyPresentation({ ...honest, presentation }).value).toBe(false)
    }
  })

  it('refuses a presentation that is no JSON', () => {
    const selection = new EngineSelection('library', engines(true))
    expect(selection.verifyPresentation({ ...honest, presentation: '{' }).value).toBe(false)
  })
})

describe('the comparison of engines', () => {
  it('answers what both say', () => {
    const both = (native: boolean, library: boolean) =>
      new EngineSelection('compare', engines(native, library))
    expect(both(true, true).verifyPresentation(honest)).toEqual({ value: true, engine: 'both' })
    expect(both(false, false).verifyPresentation(honest)).toEqual({ value: false, engine: 'both' })
    expect(both(true, true).createCredential(credentialInput).value).toBe('credential of native')
  })

  it.each<[boolean | FailureKind, boolean | FailureKind]>([
    [true, false],
    [false, true],
    [true, 'refused'],
    ['refused', true],
    ['fault', true],
  ])('refuses where the own engine says %s and the library %s', (native, library) => {
    expect(() => new EngineSelection('compare', engines(native, library)).verifyPresentation(honest)).toThrow(
      library === 'refused' || native === 'refused' || native !== 'fault' ? Disagreement : Error,
    )
  })

  it('trusts the library alone with what the own engine does not understand', () => {
    const selection = new EngineSelection('compare', engines('not-understood', true))
    expect(selection.verifyPresentation(honest)).toEqual({
      value: true,
      engine: 'library',
      fallback: 'not-understood',
    })
  })

  it('refuses an issuance where one signs and the other does not', () => {
    expect(() =>
      new EngineSelection('compare', engines('refused', true)).createCredential(credentialInput),
    ).toThrow(Disagreement)
  })
})
