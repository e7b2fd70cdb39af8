import type { CredentialDefinition } from '../api/generated/operations.ts'
import { useAnswer } from '../state/use-answer.ts'
import { fill, texts } from '../texts/texts.ts'

export const definitionName = ({ schemaName, schemaVersion, tag }: CredentialDefinition): string =>
  fill(texts.definitions.name, { name: schemaName, version: schemaVersion, tag })

/** What credentials are called, by the catalogue ids of their definitions; an id that is not known stays an id. */
export const useDefinitionNames = (): ((id: string | null) => string) => {
  const { body } = useAnswer('listCredentialDefinitions', { query: { pageSize: 100 } })
  const names = new Map((body?.items ?? []).map((each) => [each.id, definitionName(each)]))
  return (id) => (id === null ? '' : (names.get(id) ?? id))
}

export const useTemplateNames = (): ((id: string | null) => string) => {
  const { body } = useAnswer('listProofTemplates', { query: { pageSize: 100 } })
  const names = new Map((body?.items ?? []).map(({ id, name }) => [id, name]))
  return (id) => (id === null ? '' : (names.get(id) ?? id))
}
