import type { CredentialDefinition } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { useWholeList } from '../state/use-whole-list.ts'
import { EXPIRES_AT } from './value-kinds.ts'

/** A template names definitions by the ids that the ledger gave them. */
export const ledgerIdOf = ({ credentialDefinitionId, id }: CredentialDefinition): string =>
  credentialDefinitionId ?? id

/** Published definitions, and which attributes a credential of one has, beside its end. */
export const usePublishedDefinitions = (): {
  readonly definitions: readonly CredentialDefinition[] | null
  /** Why there are no definitions to choose from. */
  readonly problem: Problem | null
  readonly attributesOf: (ids: readonly string[]) => readonly string[]
} => {
  const found = useWholeList('listCredentialDefinitions', { status: 'published' })
  const schemas = useWholeList('listSchemas')
  const names = new Map((schemas.items ?? []).map(({ schemaId, attributes }) => [schemaId, attributes ?? []]))
  // No form can be made for a definition whose attributes are not known.
  const definitions = schemas.items === null ? null : found.items
  const namesOf = (id: string): readonly string[] =>
    names.get(definitions?.find((each) => ledgerIdOf(each) === id)?.schemaId ?? null) ?? []
  return {
    definitions,
    problem: found.problem ?? schemas.problem,
    /** Where several definitions may answer, only what each of them has can be asked for. */
    attributesOf: ([first, ...others]) =>
      first === undefined
        ? []
        : namesOf(first).filter(
            (name) => name !== EXPIRES_AT && others.every((other) => namesOf(other).includes(name)),
          ),
  }
}
