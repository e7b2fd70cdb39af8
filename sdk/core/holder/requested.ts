import type { AnonCredsProofRequest } from '@credo-ts/anoncreds'

export type Operator = '>' | '>=' | '<' | '<='

/** Something that a proof request asks for, under the name that the request gives it. */
export type Requested = {
  readonly referent: string
  /** Those with the same name here are best answered by one credential. */
  readonly group: string
  readonly restrictions: readonly Restriction[]
} & (
  | { readonly kind: 'attributes'; readonly names: readonly string[] }
  | { readonly kind: 'predicate'; readonly name: string; readonly operator: Operator; readonly value: number }
)

export type Restriction = Readonly<Record<string, string>>

/** Referents of predicates are `group.number` where the platform asks. */
const NUMBERED = /^(.+)\.\d+$/

export const requestedIn = (request: AnonCredsProofRequest): readonly Requested[] => [
  ...Object.entries(request.requested_attributes).map(
    ([referent, { name, names, restrictions }]): Requested => ({
      kind: 'attributes',
      referent,
      group: referent,
      names: names ?? (name === undefined ? [] : [name]),
      restrictions: plain(restrictions),
    }),
  ),
  ...Object.entries(request.requested_predicates).map(
    ([referent, { name, p_type, p_value, restrictions }]): Requested => ({
      kind: 'predicate',
      referent,
      group: NUMBERED.exec(referent)?.[1] ?? referent,
      name,
      operator: p_type,
      value: p_value,
      restrictions: plain(restrictions),
    }),
  ),
]

/** In the form that the request has them. */
const plain = (restrictions: readonly object[] | undefined): readonly Restriction[] =>
  (restrictions ?? []).map((each) => ({ ...each }))
