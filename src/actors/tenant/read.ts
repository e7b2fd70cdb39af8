import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { Actors } from '../../ports/actors.ts'
import { noSuchTenant, type TenantRecord, tenant } from './rules.ts'

type Ports = { readonly actors: Actors }

export const readTenant = ({ actors }: Ports, id: string): Eventually<TenantRecord | Refused> => {
  const ref = tenant.find(id)
  return ref === null ? noSuchTenant : actors.read(ref)
}

/** A tenant that may begin something new; a suspended one may not. */
export const activeTenant = (ports: Ports, id: string): Eventually<TenantRecord | Refused> =>
  chain(readTenant(ports, id), (found) => {
    if (isRefused(found)) return refuse('forbidden', 'The organisation of this credential does not exist.')
    if (found.status === 'active') return found
    return refuse('forbidden', 'The organisation is suspended; ask the operator of the service.')
  })
