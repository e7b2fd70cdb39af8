import type { Disclosed } from './state.ts'

export type Identifiers = { readonly schemaId: string; readonly definitionId: string }

type Presentation = {
  readonly identifiers?: readonly { readonly schema_id?: unknown; readonly cred_def_id?: unknown }[]
  readonly requested_proof?: {
    readonly revealed_attrs?: Readonly<Record<string, { readonly raw?: unknown }>>
    readonly revealed_attr_groups?: Readonly<
      Record<string, { readonly values?: Readonly<Record<string, { readonly raw?: unknown }>> }>
    >
  }
}
type Request = {
  readonly requested_attributes: Readonly<
    Record<string, { readonly name?: string; readonly names?: readonly string[] }>
  >
}

const IDENTIFIERS_MAX = 32
/** Longer than any name on a ledger. */
const IDENTIFIER_LENGTH_MAX = 1_024

/** What a presentation says it was made from; null when it says nothing readable. */
export const presentedIdentifiers = (presentation: string): readonly Identifiers[] | null => {
  const { identifiers } = parse(presentation)
  if (!Array.isArray(identifiers) || identifiers.length === 0 || identifiers.length > IDENTIFIERS_MAX)
    return null
  const read = identifiers.map((entry: Partial<Record<'schema_id' | 'cred_def_id', unknown>> | null) => ({
    schemaId: entry?.schema_id,
    definitionId: entry?.cred_def_id,
  }))
  const whole = (entry: { schemaId: unknown; definitionId: unknown }): entry is Identifiers =>
    isName(entry.schemaId) && isName(entry.definitionId)
  return read.every(whole) ? read : null
}

/** The values of a verified presentation, by requested group, and never more than was asked for. */
export const disclosedValues = (request: string, presentation: string): Disclosed => {
  const { revealed_attrs = {}, revealed_attr_groups = {} } = parse(presentation).requested_proof ?? {}
  const asked = (JSON.parse(request) as Request).requested_attributes
  return Object.fromEntries(
    Object.entries(asked).map(([group, { name, names }]) => {
      const values = names
        ? revealed_attr_groups[group]?.values
        : name
          ? { [name]: revealed_attrs[group] }
          : {}
      const taken = (names ?? [name ?? '']).flatMap((attribute) => {
        const raw = values?.[attribute]?.raw
        return typeof raw === 'string' ? [[attribute, raw] as const] : []
      })
      return [group, Object.fromEntries(taken)] as const
    }),
  )
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= IDENTIFIER_LENGTH_MAX

const parse = (presentation: string): Presentation => {
  try {
    const value: unknown = JSON.parse(presentation)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
