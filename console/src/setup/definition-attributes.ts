import type { CredentialDefinition } from '../api/generated/operations.ts'
import { useAnswer } from '../state/use-answer.ts'
import { EXPIRES_AT } from './value-kinds.ts'

/** A template names definitions by the ids that the ledger gave them. */
export const ledgerIdOf = ({ credentialDefinitionId, id }: CredentialDefinition): string =>
  credentialDefinitionId ?? id

/** Published definitions, and which attributes a credential of one has, beside its end. */
export const usePublishedDefinitions = (): {
  readonly definitions: readonly CredentialDefinition[] | null
  readonly attributesOf: (ids: readonly string[]) => readonly string[]
} => {
  const { body: found } = useAnswer('listCredentialDefinitions', {
    query: { status: 'published', pageSize: 100 },
  })
  const { body: schemas } = useAnswer('listSchemas', { query: { pageSize: 100 } })
  const names = new Map(
    (schemas?.items ?? []).map(({ schemaId, attributes }) => [schemaId, attributes ?? []]),
  )
  const definitions = found?.items ?? null
  const namesOf = (id: string): readonly string[] =>
    names.get(definitions?.find((each) => ledgerIdOf(each) === id)?.schemaId ?? null) ?? []
  return {
    definitions,
    /** Where several definitions may answer, only what each of them has can be asked for. */
    attributesOf: ([first, ...others]) =>
      first === undefined
        ? []
        : namesOf(first).filter(
            (name) => name !== EXPIRES_AT && others.every((other) => namesOf(other).includes(name)),
          ),
  }
}
