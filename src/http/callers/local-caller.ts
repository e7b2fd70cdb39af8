import type { RequestHead } from '../server/server.ts'
import { problem } from '../route/problem.ts'
import type { Authenticate, CallerKind } from './caller.ts'

/** Names the organisation on the private port; the public port never reads it. */
const ORGANISATION_HEADER = 'x-vouchsafe-organisation'

/** How the audit log names the command line of this machine. */
const LOCAL = 'local'

/** The local credential is an operator, and an administrator of the organisation that the header names. */
export const authenticateLocally = (
  others: Authenticate,
  hasOrganisation: (id: string) => Promise<boolean>,
): Authenticate => {
  const locally = async (head: RequestHead, served: readonly CallerKind[]) => {
    if (served.includes('operator')) return { kind: 'operator', operatorId: LOCAL, isLocal: true } as const
    if (!served.includes('member')) return problem('forbidden', 'The local credential may not do this.')
    const tenantId = head.headers.get(ORGANISATION_HEADER)
    if (tenantId === undefined)
      return problem('forbidden', 'X-Vouchsafe-Organisation must name the organisation.')
    return (await hasOrganisation(tenantId))
      ? ({ kind: 'member', tenantId, memberId: LOCAL, role: 'admin', isLocal: true } as const)
      : problem('forbidden', 'There is no organisation with this id.')
  }
  return (head, served) => (head.isLocal === true ? locally(head, served) : others(head, served))
}
