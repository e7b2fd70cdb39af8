import { useWholeList } from '../state/use-whole-list.ts'

/** What organisations are called, by their ids; one that is not known stays an id. */
export const useOrganisationNames = (): ((id: string) => string) => {
  const { items } = useWholeList('listTenants')
  return (id) => items?.find((each) => each.id === id)?.name ?? id
}
