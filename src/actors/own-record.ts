import { isRefused, type KindTypes } from '../domain/decider.ts'
import { chain, type Eventually } from '../domain/eventually.ts'
import type { References } from '../domain/references.ts'
import type { Actors } from '../ports/actors.ts'

type OwnedTypes = KindTypes & { readonly views: { readonly record: { readonly tenant: string } } }

/** The record from its owner; null when there is none or it is another organisation's, which look the same from outside. */
export const ownRecord = <Of extends OwnedTypes>(
  { actors }: { readonly actors: Actors },
  references: References<Of>,
  tenant: string,
  id: string,
): Eventually<Of['views']['record'] | null> => {
  const ref = references.find(id)
  if (ref === null) return null
  return chain(actors.read<Of>(ref, { tenant }), (record) =>
    isRefused(record) || record.tenant !== tenant ? null : record,
  )
}

/** How a record is shown; null where it is not this organisation's. */
export const shownRecord = <Of extends OwnedTypes, Shown>(
  ports: { readonly actors: Actors },
  references: References<Of>,
  show: (id: string, record: Of['views']['record']) => Shown,
): ((tenant: string, id: string) => Eventually<Shown | null>) => {
  // Not by way of `ownRecord`: most requests come this way, and each step of a chain costs them.
  return (tenant, id) => {
    const ref = references.find(id)
    if (ref === null) return null
    return chain(ports.actors.read<Of>(ref, { tenant }), (record) =>
      isRefused(record) || record.tenant !== tenant ? null : show(id, record),
    )
  }
}
