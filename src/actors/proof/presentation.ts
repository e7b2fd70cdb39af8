import type { Disclosed } from './state.ts'

export type Identifiers = { readonly schemaId: string; readonly definitionId: string }

type Answer = { readonly raw?: unknown; readonly sub_proof_index?: unknown }
type GroupAnswer = Answer & { readonly values?: Readonly<Record<string, Answer>> }

/** As far as it is looked at here; a holder may have written anything in its places. */
export type Presentation = {
  readonly identifiers?: readonly { readonly schema_id?: unknown; readonly cred_def_id?: unknown }[]
  readonly requested_proof?: {
    readonly revealed_attrs?: Readonly<Record<string, Answer>>
    readonly revealed_attr_groups?: Readonly<Record<string, GroupAnswer>>
    readonly predicates?: Readonly<Record<string, Answer>>
  } | null
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
export const presentedIdentifiers = ({ identifiers }: Presentation): readonly Identifiers[] | null => {
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
export const disclosedValues = (request: string, { requested_proof: proof }: Presentation): Disclosed => {
  const { revealed_attrs = {}, revealed_attr_groups = {} } = proof ?? {}
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

/** Empty for a text that holds no presentation. */
export const parsePresentation = (presentation: string): Presentation => {
  try {
    const value: unknown = JSON.parse(presentation)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/**
 * Whether one credential answers each group. The signature checks of a presentation don't say so: a holder of an
 * expired credential and a fresh one could show the attributes of the first and the expiry of the second.
 */
export const answersWholeGroups = (request: string, { requested_proof: proof }: Presentation): boolean => {
  const asked = JSON.parse(request) as { requested_attributes: object; requested_predicates: object }
  const credentialOf = new Map<string, unknown>()
  const agrees = (group: string, answer: Answer | undefined): boolean => {
    const index = answer?.sub_proof_index
    if (!Number.isInteger(index)) return false
    const known = credentialOf.get(group) ?? index
    credentialOf.set(group, known)
    return known === index
  }
  return (
    Object.keys(asked.requested_attributes).every((group) =>
      agrees(group, proof?.revealed_attr_groups?.[group] ?? proof?.revealed_attrs?.[group]),
    ) &&
    Object.keys(asked.requested_predicates).every((referent) =>
      agrees(groupOf(referent), proof?.predicates?.[referent]),
    )
  )
}

/** Predicates of a group are named `group.number`. */
const groupOf = (referent: string): string => referent.replace(/\.\d+$/, '')
