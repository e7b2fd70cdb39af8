/**
 * What a person may mean by an attribute. The ledger knows names alone; the kind says how a value has to be written, and
 * whether a proof can compare it.
 */
export const VALUE_KINDS = [
  'text',
  'number',
  'comparedDate',
  'shownDate',
  'moment',
  'amount',
  'yesNo',
  'choice',
  'document',
] as const

export type ValueKind = (typeof VALUE_KINDS)[number]

export type DraftAttribute = { readonly name: string; readonly kind: ValueKind }

/** Every credential ends, so each schema has it. */
export const EXPIRES_AT = 'expiresAt'

/** The names as they are published: without empty rows, and with the end of the credential. */
export const publishedNames = (attributes: readonly DraftAttribute[]): readonly string[] => [
  ...attributes.map(({ name }) => name.trim()).filter((name) => name !== '' && name !== EXPIRES_AT),
  EXPIRES_AT,
]

/** Names that stand there twice, which a schema cannot have. */
export const twiceNamed = (attributes: readonly DraftAttribute[]): readonly string[] => {
  const names = publishedNames(attributes)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
