type Answer = { readonly sub_proof_index?: unknown }
type Answers = Readonly<Record<string, Answer>>
type RequestedProof = {
  readonly revealed_attrs?: Answers
  readonly revealed_attr_groups?: Answers
  readonly predicates?: Answers
}

/**
 * Whether one credential answers each group. The signature checks of a presentation don't say so: a holder of an
 * expired credential and a fresh one could show the attributes of the first and the expiry of the second.
 */
export const answersWholeGroups = (request: string, presentation: string): boolean => {
  const asked = JSON.parse(request) as { requested_attributes: object; requested_predicates: object }
  const { requested_proof: proof } = JSON.parse(presentation) as { requested_proof?: RequestedProof }
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
