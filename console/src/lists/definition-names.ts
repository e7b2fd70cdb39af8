import type { CredentialDefinition } from '../api/generated/operations.ts'
import { useWholeList } from '../state/use-whole-list.ts'
import { fill, texts } from '../texts/texts.ts'

export const definitionName = ({ schemaName, schemaVersion, tag }: CredentialDefinition): string =>
  fill(texts.definitions.name, { name: schemaName, version: schemaVersion, tag })

/** What credentials are called, by the catalogue ids of their definitions; an id that is not known stays an id. */
export const useDefinitionNames = (): ((id: string | null) => string) => {
  const { items } = useWholeList('listCredentialDefinitions')
  const names = new Map((items ?? []).map((each) => [each.id, definitionName(each)]))
  return (id) => (id === null ? '' : (names.get(id) ?? id))
}

type TemplateNames = {
  readonly nameOf: (id: string | null) => string
  /** To choose from, the newest first. */
  readonly templates: readonly { readonly value: string; readonly text: string }[]
}

export const useTemplateNames = (): TemplateNames => {
  const { items } = useWholeList('listProofTemplates')
  const templates = (items ?? []).map(({ id, name }) => ({ value: id, text: name }))
  const names = new Map(templates.map(({ value, text }) => [value, text]))
  return { nameOf: (id) => (id === null ? '' : (names.get(id) ?? id)), templates }
}
