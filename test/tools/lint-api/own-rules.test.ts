import { describe, expect, it } from 'vitest'
import { apiDocument } from '../../../tools/described-api.ts'
import { ownObjections } from '../../../tools/lint-api/own-rules.ts'

const whole = apiDocument()

/** The document with one operation spoilt. */
const spoilt = (change: (operation: Record<string, unknown>) => void): readonly string[] => {
  const document = structuredClone(whole)
  const operation = document.paths['/v1/credentials/offer']?.['post'] as unknown as Record<string, unknown>
  change(operation)
  return ownObjections(document)
}

describe('our own rules for the description', () => {
  it('have nothing against the description as it is', () => {
    expect(ownObjections(whole)).toEqual([])
  })

  it('want every operation among others', () => {
    const objections = spoilt((operation) => {
      operation['tags'] = []
    })
    expect(objections).toContain('offerCredential has no tag: give its route one of src/actors/tags.ts')
  })

  it('want an example of every body', () => {
    const objections = spoilt((operation) => {
      operation['requestBody'] = { content: { 'application/json': { schema: {} } } }
    })
    expect(objections).toEqual(['offerCredential has a body without an example'])
  })

  it('want every field explained, also behind references', () => {
    const document = structuredClone(whole)
    const { properties } = document.components.schemas['Credential'] ?? {}
    Object.assign(properties?.['state'] ?? {}, { description: undefined })
    expect(ownObjections(document)).toContain('Credential.state has no description')
  })

  it('want links that lead to an operation which takes what they carry', () => {
    const objections = spoilt((operation) => {
      const links = {
        nowhere: { operationId: 'getNothing', parameters: {} },
        wrong: { operationId: 'getCredential', parameters: { name: '$response.body#/id' } },
      }
      operation['responses'] = { 202: { links } }
    })
    expect(objections).toEqual([
      'offerCredential links nowhere to nothing',
      'offerCredential links wrong by name, which it does not take',
    ])
  })

  it('want an operation for every tag', () => {
    const document = { ...whole, tags: [...whole.tags, { name: 'Nothing', description: '' }] }
    expect(ownObjections(document)).toEqual(['the tag Nothing has no operation'])
  })
})
