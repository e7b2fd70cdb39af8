import { readFileSync } from 'node:fs'
import type { PresentationInput } from '../../src/ports/anoncreds.ts'

export type Fixture = {
  readonly expect: 'accepted' | 'refused'
  readonly schemaId: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly credentialDefinitionId: string
  readonly credentialDefinition: Readonly<Record<string, unknown>>
  readonly presentationRequest: Readonly<Record<string, unknown>>
  readonly presentation: Readonly<Record<string, unknown>>
}

export const fixtureNames = ['honest', 'never-issued', 'false-predicate'] as const

export const readFixture = (name: (typeof fixtureNames)[number]): Fixture =>
  JSON.parse(readFileSync(new URL(`../fixtures/verifier/${name}.json`, import.meta.url), 'utf8')) as Fixture

export const inputOf = (fixture: Fixture): PresentationInput => ({
  presentation: JSON.stringify(fixture.presentation),
  request: JSON.stringify(fixture.presentationRequest),
  schemas: { [fixture.schemaId]: JSON.stringify(fixture.schema) },
  credentialDefinitions: { [fixture.credentialDefinitionId]: JSON.stringify(fixture.credentialDefinition) },
})
