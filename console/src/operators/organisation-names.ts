import { useAnswer } from '../state/use-answer.ts'

/** What organisations are called, by their ids. */
export const useOrganisationNames = (): {
  readonly known: readonly { readonly id: string; readonly name: string | null }[]
  readonly nameOf: (id: string) => string
} => {
  const { body } = useAnswer('listTenants', { query: { pageSize: 100 } })
  const known = body?.items ?? []
  return { known, nameOf: (id) => known.find((each) => each.id === id)?.name ?? id }
}
