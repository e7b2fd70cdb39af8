import { describe, expect, it } from 'vitest'
import { EngineFailure } from '../../src/anoncreds/engine.ts'
import { LibraryEngine } from '../../src/anoncreds/library-engine.ts'
import { libraryDefinition, publishedAs, Wallet } from '../../native/campaign/wallet.ts'
import { inputOf, readFixture } from './verifier-fixtures.ts'

const library = new LibraryEngine()

describe('the library as an engine', () => {
  it('issues and verifies', { timeout: 60_000 }, () => {
    const published = publishedAs(libraryDefinition('library', ['name', 'age']), 'library', ['name', 'age'])
    const wallet = new Wallet()
    const requested = wallet.request(published)
    const values = { name: 'x', age: '20' }
    const credential = library.createCredential({ ...published, ...requested, values })
    const held = wallet.process(published, requested, credential, values)
    const request = JSON.stringify({
      name: 'r',
      version: '1.0',
      ver: '2.0',
      nonce: '123',
      requested_attributes: { a: { name: 'name' } },
      requested_predicates: { p: { name: 'age', p_type: '>=', p_value: 18 } },
    })
    const input = wallet.present(request, [{ held, revealed: ['a'], hidden: [], predicates: ['p'] }])
    expect(library.verifyPresentation(input)).toBe(true)
    expect(library.verifyPresentation({ ...input, request: request.replace('"123"', '"124"') })).toBe(false)
  })

  it('accepts the honest presentation of the fixtures', () => {
    expect(library.verifyPresentation(inputOf(readFixture('honest')))).toBe(true)
  })

  it('refuses what it cannot read', () => {
    const input = inputOf(readFixture('honest'))
    for (const presentation of ['{', '{}', '[]']) {
      expect(() => library.verifyPresentation({ ...input, presentation })).toThrow(EngineFailure)
    }
  })
})
