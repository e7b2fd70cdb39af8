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

type TemplateNames = {
  readonly nameOf: (id: string | null) => string
  /** To choose from, the newest first. */
  readonly templates: readonly { readonly value: string; readonly text: string }[]
}

export const useTemplateNames = (): TemplateNames => {
  const { body } = useAnswer('listProofTemplates', { query: { pageSize: 100 } })
  const templates = (body?.items ?? []).map(({ id, name }) => ({ value: id, text: name }))
  const names = new Map(templates.map(({ value, text }) => [value, text]))
  return { nameOf: (id) => (id === null ? '' : (names.get(id) ?? id)), templates }
}
